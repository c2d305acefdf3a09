package claudecode

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
)

// ids returns the IDs of topics.
func ids(names []string) []memory.ID {
	var out []memory.ID
	for _, n := range names {
		out = append(out, memory.ID(memoryPrefix+n))
	}
	slices.Sort(out)
	return out
}

// idsWhere returns the IDs of the records of which something holds, in order.
func idsWhere(all map[memory.ID]memory.Record, holds func(memory.Record) bool) []memory.ID {
	var out []memory.ID
	for id, r := range all {
		if holds(r) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

func TestFixtureSaysWhatIsExpectedOfTheFirstProject(t *testing.T) {
	f := unpack(t)
	s, want := f.open(t, "work/shop_api"), f.want.Project1
	all, _ := records(t, s)
	topic := func(r memory.Record) bool { return r.Scope == layerMemory && r.Kind != kindIndex }
	for what, c := range map[string]struct {
		want  []string
		holds func(memory.Record) bool
	}{
		"orphan_files":    {want.Orphans, func(r memory.Record) bool { return noted(r, "No line of the index") }},
		"no_frontmatter":  {want.NoHeader, func(r memory.Record) bool { return fact(r, "header") == "none" }},
		"old_frontmatter": {want.Old, func(r memory.Record) bool { return fact(r, "header") == "older" }},
		"nested_metadata_frontmatter": {
			want.Nested,
			func(r memory.Record) bool { return fact(r, "header") == "newer" },
		},
		"over_200_lines": {want.Over200, func(r memory.Record) bool { return noted(r, "300 lines", "first 200") }},
		"injection":      {want.Injection, func(r memory.Record) bool { return r.Flags&memory.FlagInjection != 0 }},
		"secrets":        {want.Secrets, func(r memory.Record) bool { return r.Flags&memory.FlagSecret != 0 }},
	} {
		got := idsWhere(all, func(r memory.Record) bool { return topic(r) && c.holds(r) })
		if !slices.Equal(got, ids(c.want)) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
	orphan := all[ids(want.Orphans)[0]]
	if orphan.Flags&memory.FlagUnseen == 0 {
		t.Errorf("%s is not flagged as unseen", orphan.ID)
	}
	if fact(all[memoryPrefix+indexName], "names") != memory.Counted(want.Indexed, "file") {
		t.Errorf("the index says %q", fact(all[memoryPrefix+indexName], "names"))
	}
	var lost []string
	for _, l := range memoryFolderOf(f.memory("work/shop_api"), "", "").dangling() {
		lost = append(lost, l.file)
	}
	if !slices.Equal(lost, want.Dangling) || !noted(all[memoryPrefix+indexName], "Line 11", lost[0]) {
		t.Errorf("the index names %q that do not exist, want %q", lost, want.Dangling)
	}
	for _, link := range want.Unresolved {
		if got := idsWhere(all, func(r memory.Record) bool { return noted(r, "[["+link+"]]") }); len(got) == 0 {
			t.Errorf("nobody says that [[%s]] leads nowhere", link)
		}
	}
	if noted(all[memoryPrefix+"user_role.md"], "[[testing-feedback]]") {
		t.Error("a link by the name in a header is not found")
	}
	for file, n := range want.AgeDays {
		r := all[memory.ID(memoryPrefix+file)]
		if got := fact(r, "age"); got != memory.Counted(n, "day") || r.Flags&memory.FlagStale == 0 ||
			!strings.HasPrefix(
				fact(r, "caveat"),
				"<system-reminder>This memory is "+memory.Counted(
					n,
					"day",
				)+" old. Memories are point-in-time observations, not live state — claims",
			) {
			t.Errorf("%s is %s old: %q", file, got, fact(r, "caveat"))
		}
	}
	if id, want := all[memoryPrefix+"user_role.md"].Session, "2b802e19-0320-4588-a910-39a3fc6ef4cd"; id != want {
		t.Errorf("user_role.md is of the session %q, want %q", id, want)
	}
	for id := range all {
		if strings.Contains(string(id), lockName) {
			t.Errorf("the lock is listed: %s", id)
		}
	}
}

func TestFixtureSaysWhatIsExpectedOfTheSecondProject(t *testing.T) {
	f := unpack(t)
	s, want := f.open(t, "work/site"), f.want.Project2
	all, _ := records(t, s)
	x := memoryFolderOf(f.memory("work/site"), "", "").index
	if lines(x.Text) != want.RawLines || len(x.Text) != want.RawBytes || x.lineCount != want.LoadedLines ||
		len(x.loaded)+1 != want.LoadedBytes {
		t.Errorf(
			"the index has %d lines and %d bytes, and %d and %d are loaded; want %+v",
			lines(x.Text),
			len(x.Text),
			x.lineCount,
			len(x.loaded)+1,
			want,
		)
	}
	index := all[memoryPrefix+indexName]
	if noted(index, "first 200 are read") != want.OverLines || noted(index, "first 25,000 are read") != want.OverBytes {
		t.Errorf("the index says %q", index.Notes)
	}
	if got := idsWhere(all, func(r memory.Record) bool { return r.Problem != nil }); !slices.Equal(
		got,
		ids(want.Broken),
	) {
		t.Errorf("damaged are %q, want %q", got, want.Broken)
	}
	if r := all[ids(want.CRLF)[0]]; r.Problem != nil || r.Title != "CRLF and BOM" || r.Kind != "reference" ||
		r.Body != "CRLF body" {
		t.Errorf("%s is %+v", want.CRLF, r)
	}
	if r := all[ids(want.Empty)[0]]; r.Problem != nil || r.Raw != "" || r.Title != want.Empty[0] {
		t.Errorf("%s is %+v", want.Empty, r)
	}
	if r := all[ids(want.Broken)[0]]; r.Title != "First note: unterminated quote" || r.Kind != "project" {
		t.Errorf("%s is %+v: what can be read is shown", want.Broken[0], r)
	}
}

func TestSlugsAreThoseOfTheFixture(t *testing.T) {
	for path, want := range unpack(t).want.Slug {
		if got := slug(path); got != want {
			t.Errorf("slug(%s) = %s, want %s", path, got, want)
		}
	}
	long := "/" + strings.Repeat("a", 300)
	if got := slug(long); len(got) <= 201 || got[:200] != "-"+strings.Repeat("a", 199) || got[200] != '-' {
		t.Errorf("slug of a long path is %q", got)
	}
	if got := slug("/å/𝄞"); got != "-----" {
		t.Errorf("slug of a rare character is %q, want one dash for each unit", got)
	}
}

// loaded returns the files of a block in order, as the fixture names them.
func (f *fixture) loaded(b memory.Block) []string {
	var out []string
	for _, p := range b.Parts {
		name := strings.Replace(strings.Replace(p.Path, f.home, "/home/dev", 1), f.etc, "/etc/claude-code", 1)
		out = append(out, name)
	}
	return out
}

func TestFilesAreInjectedInTheOrderOfTheFixture(t *testing.T) {
	f := unpack(t)
	r, err := f.open(t, "work/shop_api").Recall(t.Context(), memory.Task{})
	if err != nil {
		t.Fatal(err)
	}
	got := f.loaded(r.Block)
	at := 0
	for _, want := range f.want.LoadOrder {
		for name := range strings.FieldsSeq(strings.NewReplacer("(+", " ", "(AutoMem)", " ", "(unconditional)", " ",
			")", " ").Replace(
			want,
		)) {
			switch name {
			case "and", "imports":
				continue
			case "@style.md":
				name = "/home/dev/.claude/style.md"
			}
			i := slices.IndexFunc(got[at:], func(g string) bool { return strings.HasSuffix(g, name) })
			if i < 0 {
				t.Fatalf("%s does not come after %q in %q", name, got[:at], got)
			}
			at += i + 1
		}
	}
	if at != len(got) {
		t.Errorf("more is injected than is expected: %q", got[at:])
	}
}

func TestImportsAreFollowedAsTheFixtureSays(t *testing.T) {
	f := unpack(t)
	want := f.want.Imports
	if maxHops != want.Hops {
		t.Errorf("%d hops are followed, want %d", maxHops, want.Hops)
	}
	s := f.open(t, "work/shop_api")
	all, _ := records(t, s)
	r, err := s.Recall(t.Context(), memory.Task{})
	if err != nil {
		t.Fatal(err)
	}
	var levels []string
	for _, l := range []string{"l1", "l2", "l3", "l4", "l5", "l6", "l7"} {
		if strings.Contains(r.Block.Text, "LEVEL-"+l[1:]+"-CONTENT") {
			levels = append(levels, l)
		}
	}
	if !slices.Equal(levels, want.Limit4) {
		t.Errorf("injected are %q, want %q", levels, want.Limit4)
	}
	if five := all["docs/l5.md"]; five.Flags&memory.FlagUnseen == 0 || !noted(five, "only 4 are followed") {
		t.Errorf("the fifth is %+v", five)
	}
	if all["docs/l2.md"].Kind != kindImport || fact(all["docs/l2.md"], "imported by") != "docs/l1.md" {
		t.Errorf("an import is %+v", all["docs/l2.md"])
	}
	for _, c := range want.Cycle {
		if n := strings.Count(r.Block.Text, "# Cycle "+strings.ToUpper(c[len(c)-1:])); n != 1 {
			t.Errorf("%s is injected %d times", c, n)
		}
	}
	if !noted(all["docs/cycle-b.md"], "leads back") {
		t.Errorf("the cycle is not said: %q", all["docs/cycle-b.md"].Notes)
	}
	if strings.Contains(r.Block.Text, "NEVER-IMPORTED") {
		t.Error("what is named in code is imported")
	}
	for _, m := range want.Missing {
		if !noted(all["CLAUDE.md"], m, "does not exist") {
			t.Errorf("nobody says that %s is missing: %q", m, all["CLAUDE.md"].Notes)
		}
	}
	outside := all[memory.ID(filepath.ToSlash(f.path(".claude/shared-outside.md")))]
	if outside.Fixed == "" || outside.Flags&memory.FlagUnseen == 0 ||
		strings.Contains(r.Block.Text, "Shared outside") ||
		!noted(outside, "approved") {
		t.Errorf("the import from outside (%s) is %+v", want.External[0], outside)
	}
	put(
		t,
		f.path(".claude.json"),
		`{"projects":{"`+f.path("work/shop_api")+`":{"hasClaudeMdExternalIncludesApproved":true}}}`,
	)
	if r, err = s.Recall(t.Context(), memory.Task{}); err != nil ||
		!strings.Contains(r.Block.Text, "# Shared outside the project (fake)") {
		t.Errorf("an import that was approved is left out (%v)", err)
	}
}

func TestTranscriptsTellWhatTheLastSessionGot(t *testing.T) {
	f := unpack(t)
	for id, want := range f.want.Transcripts {
		project := strings.Replace(strings.TrimPrefix(want.Project, "-home-dev-"), "work-", "work/", 1)
		project = strings.Replace(project, "shop-api", "shop_api", 1)
		s := f.open(t, project)
		late := f.now.AddDate(5, 0, 0)
		touch(t, filepath.Join(filepath.Dir(f.memory(project)), id+".jsonl"), late)
		f.live[want.Live] = true
		r, err := s.Recall(t.Context(), memory.Task{})
		if err != nil || r.LastSession == nil || r.LastSession.Session != id {
			t.Fatalf("%s: got %+v, %v", id, r.LastSession, err)
		}
		if r.LastSession.Running != (want.Live > 0) {
			t.Errorf("%s runs: %t", id, r.LastSession.Running)
		}
		var recalled []string
		for _, b := range r.LastSession.Blocks {
			for i, p := range b.Parts {
				if i > 0 && b.Text[b.Parts[i-1].End:p.Start] != "\n\n" {
					t.Errorf("%s: %q and %q run into each other", id, b.Parts[i-1].Path, p.Path)
				}
				if strings.HasPrefix(b.Name, "recalled") {
					recalled = append(recalled, filepath.Base(p.Path))
				}
			}
		}
		if !slices.Equal(recalled, want.Injected) {
			t.Errorf("%s recalled %q, want %q", id, recalled, want.Injected)
		}
		if known := r.LastSession.Unknown == ""; known != (id == "2b802e19-0320-4588-a910-39a3fc6ef4cd") {
			t.Errorf("%s: unknown is %q", id, r.LastSession.Unknown)
		}
		touch(t, filepath.Join(filepath.Dir(f.memory(project)), id+".jsonl"), f.now.AddDate(-1, 0, 0))
	}
}
