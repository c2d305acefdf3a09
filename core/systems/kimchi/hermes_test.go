package kimchi

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/core/lesson"
	"winnow/core/vectortest"
)

func hermesVectors(t *testing.T, kind string, fn func(t *testing.T, in, want vectortest.Value)) {
	t.Helper()
	vectortest.Each(t, "hermes", kind, func(t *testing.T, v vectortest.Vector) { fn(t, v.Input, v.Want) })
}

func TestInjectHermesScan(t *testing.T) {
	hermesVectors(t, "scan", func(t *testing.T, in, want vectortest.Value) {
		content := in.Member("content").Text()
		parts := in.Member("content_parts")
		for i := range parts.Len() {
			content += strings.Repeat(parts.Item(i).Item(0).Text(), int(parts.Item(i).Item(1).Number()))
		}
		if got := hermes().threats(content); !slices.Equal(got, want.Member("findings").Texts()) {
			t.Errorf("found %q, want %q", got, want.Member("findings").Texts())
		}
		if got := hermes().scan(content); got != want.Member("message").Str() {
			t.Errorf("scan says %q, want %q", got, want.Member("message").Str())
		}
	})
}

func TestInjectHermesParse(t *testing.T) {
	hermesVectors(t, "parse", func(t *testing.T, in, want vectortest.Value) {
		got, readable := hermes().loaded(string(bytesOf(t, in, "raw")))
		if !slices.Equal(got, want.Member("entries").Texts()) || readable != want.Member("readable").Bool() {
			t.Errorf("entries are %+q (%v), want %+q", got, readable, want.Member("entries").Texts())
		}
		if got := lesson.Distinct(got); !slices.Equal(got, want.Member("loaded").Texts()) {
			t.Errorf("loaded are %+q, want %+q", got, want.Member("loaded").Texts())
		}
	})
}

func TestInjectHermesWrite(t *testing.T) {
	hermesVectors(t, "write", func(t *testing.T, in, want vectortest.Value) {
		d, entries := hermes(), in.Member("entries").Texts()
		text := join(entries)
		if text != string(bytesOf(t, want, "bytes")) ||
			utf8.RuneCountInString(text) != int(want.Member("chars").Number()) {
			t.Errorf("the file holds %q", text)
		}
		again := d.entries(text)
		if !slices.Equal(again, want.Member("reparsed").Texts()) ||
			slices.Equal(again, entries) != want.Member("roundtrips").Bool() {
			t.Errorf("read again: %+q, want %+q", again, want.Member("reparsed").Texts())
		}
	})
}

func TestInjectHermesBlock(t *testing.T) {
	hermesVectors(t, "block", func(t *testing.T, in, want vectortest.Value) {
		checkBlocks(t, newHermesTool(t, in), want)
	})
}

// checkBlocks compares the blocks that a session starts with.
func checkBlocks(t *testing.T, tool *hermesTool, want vectortest.Value) {
	t.Helper()
	for target, name := range hermesNames {
		entries, _ := tool.d.loaded(string(tool.files[target]))
		sd := sideOf(tool.d, entries, tool.limits[target], name)
		got := sd.block()
		if block := want.Member(target); got.Text != string(bytesOf(t, want, target)) ||
			(got.Text == "") != (block.IsNull() && !want.Has(target+"_b64")) {
			t.Errorf("the block of %s is\n%s\nwant\n%s", name, got.Text, block.Str())
		}
		for i, p := range got.Parts {
			if part := got.Text[p.Start:p.End]; part != tool.d.shown(entries[sd.shown[i].of], name) {
				t.Errorf("a part holds %q", part)
			}
		}
	}
}

func TestInjectHermesOps(t *testing.T) {
	hermesVectors(t, "ops", func(t *testing.T, in, want vectortest.Value) {
		tool := newHermesTool(t, in)
		checkBlocks(t, tool, want.Member("frozen"))
		ops := in.Member("ops")
		for i := range ops.Len() {
			edits := in.Member("external_edits_before_op").Member(strconv.Itoa(i))
			for target := range hermesNames {
				if edits.Has(target) || edits.Has(target+"_b64") {
					tool.files[target] = bytesOf(t, edits, target)
				}
			}
			var got, wanted any
			if answer := tool.call(ops.Item(i)); answer != nil {
				got = roundTripped(t, answer)
			}
			if err := json.Unmarshal(want.Member("results").Item(i).AppendJSON(nil), &wanted); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, wanted) {
				t.Errorf("call %d answers\n%v\nwant\n%v", i, got, wanted)
			}
		}
		final := want.Member("final")
		for target := range hermesNames {
			file := tool.files[target]
			if string(file) != string(bytesOf(t, final, target)) ||
				(file == nil) != (final.Member(target).IsNull() && !final.Has(target+"_b64")) {
				t.Errorf("%s holds %q, want %q", target, file, final.Member(target).Str())
			}
		}
		for key, got := range map[string]map[string]bool{"backups": tool.backups, "locks": tool.locks} {
			if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want.Member(key).Texts()) {
				t.Errorf("%s: %q, want %q", key, names, want.Member(key).Texts())
			}
		}
	})
}

func roundTripped(t *testing.T, v any) (out any) {
	t.Helper()
	raw, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var hermesNames = map[string]string{"memory": memoryFile, "user": userFile}

// hermesTool is the tool with which a model keeps its notes, on files that are held
// here: what Hermes answers and writes is told from what Winnow knows of its rules.
type hermesTool struct {
	d              *dialect
	files          map[string][]byte // by target; nil when missing
	limits         map[string]int
	failures       int
	backups, locks map[string]bool
}

func newHermesTool(t *testing.T, in vectortest.Value) *hermesTool {
	t.Helper()
	return &hermesTool{
		d:     hermes(),
		files: map[string][]byte{"memory": bytesOf(t, in, "memory"), "user": bytesOf(t, in, "user")},
		limits: map[string]int{
			"memory": int(in.Member("memory_limit").Number()),
			"user":   int(in.Member("user_limit").Number()),
		},
		backups: map[string]bool{}, locks: map[string]bool{},
	}
}

type answer map[string]any

func wrong(text string) answer { return answer{"success": false, "error": text} }

// failed counts a failure for want of room or of a match.
func (h *hermesTool) failed(a answer) answer {
	if h.failures++; h.failures <= 3 {
		return a
	}
	return answer{
		"success": false,
		"done":    true,
		"error": fmt.Sprintf("Memory consolidation failed %d times this turn. "+
			"Stop retrying memory calls — leave memory unchanged for now and continue with your reply to the user. The fact can be saved in a later turn.", h.failures),
	}
}

// call is one call of the tool; nil for the beginning of a turn.
func (h *hermesTool) call(op vectortest.Value) answer {
	target := op.Member("target").Text()
	old, content := h.d.trim(op.Member("old_text").Text()), h.d.trim(op.Member("content").Text())
	action := op.Member("action").Text()
	switch action {
	case "new_turn":
		h.failures = 0
		return nil
	case "batch":
		return h.batch(target, op.Member("operations"))
	case "add":
		if content == "" {
			return wrong(noContent)
		}
	default:
		if old == "" {
			return wrong("old_text cannot be empty.")
		}
		if action == "replace" && content == "" {
			return wrong("new_content cannot be empty. Use 'remove' to delete entries.")
		}
	}
	if action != "remove" {
		if why := h.d.scan(content); why != "" {
			return wrong(why)
		}
	}
	if refused := h.refused(target, action != "add"); refused != nil {
		return refused
	}
	entries := h.entries(target)
	if action == "add" {
		return h.add(target, entries, content)
	}
	return h.change(target, action, entries, old, content)
}

func (h *hermesTool) entries(target string) []string {
	return lesson.Distinct(h.d.entries(string(h.files[target])))
}

func (h *hermesTool) size(entries []string) int { return h.d.length(strings.Join(entries, delimiter)) }

// refused takes the lock, and returns why the file is not touched.
func (h *hermesTool) refused(target string, looks bool) answer {
	name := hermesNames[target]
	h.locks[name+".lock"] = true
	file := string(h.files[target])
	if _, readable := h.d.loaded(file); !readable {
		return wrong(
			"Refusing to write " + name + ": the file exists on disk but could not be read right now (temporarily locked by another program, " +
				"a permission change, invalid/corrupt text encoding, or a filesystem error). Treating an unreadable file as empty and saving would wipe existing " +
				"memory, so the write is refused. Nothing was changed — retry in a moment.",
		)
	}
	if !looks || !h.d.refusesChanges(file, h.limits[target]) {
		return nil
	}
	backup := name + ".bak.{TIME}"
	h.backups[backup] = true
	a := wrong(
		"Refusing to write " + name + ": file on disk has content that wouldn't round-trip through the memory tool (likely added by the patch tool, " +
			"a shell append, a manual edit, or a concurrent session). A snapshot was saved to {DIR}/" + backup +
			". Resolve the drift first — either rewrite the file " +
			"as a clean §-delimited list of entries, or move the extra content out — then retry. This guard exists to prevent silent data loss (issue #26045).",
	)
	a["drift_backup"] = "{DIR}/" + backup
	a["remediation"] = "Open the .bak file, integrate the missing entries into the memory tool one at a time via memory(action=add, content=...), " +
		"then remove or rewrite the original file to a clean state."
	return a
}

// done answers a call that succeeded.
func (h *hermesTool) done(target, message string, entries []string) answer {
	h.failures = 0
	return answer{
		"success": true, "done": true, "target": target, "entry_count": len(entries), "message": message,
		"usage": h.d.usage(h.size(entries), h.limits[target]),
		"note":  "Write saved. This update is complete — do not repeat it.",
	}
}

func (h *hermesTool) save(target, message string, entries []string) answer {
	h.files[target] = []byte(join(entries))
	return h.done(target, message, entries)
}

func (h *hermesTool) fullness(target string, entries []string) string {
	return h.d.amount(h.size(entries)) + "/" + h.d.amount(h.limits[target])
}

func (h *hermesTool) add(target string, entries []string, content string) answer {
	if slices.Contains(entries, content) {
		return h.done(target, "Entry already exists (no duplicate added).", entries)
	}
	with := append(slices.Clip(entries), content)
	if limit := h.limits[target]; h.size(with) > limit {
		a := wrong(
			h.d.addingFails(
				h.size(entries),
				limit,
				h.d.length(content),
			) + " Consolidate now: use 'replace' to merge overlapping entries into " +
				"shorter ones or 'remove' stale or less important entries (see current_entries below), then retry this add — all in this turn.",
		)
		a["current_entries"], a["usage"] = append([]string{}, entries...), h.fullness(target, entries)
		return h.failed(a)
	}
	return h.save(target, "Entry added.", with)
}

// match returns the entry that a text names: one that equals it, else the only one that
// holds it. It is -1 when there is none, and -2 when there are several.
func match(entries []string, old string) int {
	if i := slices.Index(entries, old); i >= 0 {
		return i
	}
	found := -1
	for i, e := range entries {
		switch {
		case !strings.Contains(e, old):
		case found < 0:
			found = i
		case e != entries[found]:
			return -2
		}
	}
	return found
}

func (h *hermesTool) change(target, action string, entries []string, old, content string) answer {
	i := match(entries, old)
	switch i {
	case -1:
		a := wrong(
			"No entry matched '" + old + "'. Check current_entries below and retry with the exact text of the entry you want to " + action + ".",
		)
		a["current_entries"] = append([]string{}, entries...)
		return h.failed(a)
	case -2:
		a := wrong("Multiple entries matched '" + old + "'. Be more specific.")
		a["matches"] = previews(entries, old)
		return a
	}
	if action == "remove" {
		a := h.save(target, "Entry removed.", slices.Delete(slices.Clone(entries), i, i+1))
		a["removed_entry"] = entries[i]
		return a
	}
	with := slices.Clone(entries)
	with[i] = content
	if limit := h.limits[target]; h.size(with) > limit {
		a := wrong(
			h.d.replacingFails(
				h.size(with),
				limit,
			) + " Shorten the new content, or 'remove' other stale or less important entries to make room " +
				"(see current_entries below), then retry — all in this turn.",
		)
		a["current_entries"], a["usage"] = append([]string{}, entries...), h.fullness(target, entries)
		return h.failed(a)
	}
	a := h.save(target, "Entry replaced.", with)
	a["replaced_entry"] = entries[i]
	return a
}

func previews(entries []string, old string) []string {
	var all []string
	for _, e := range entries {
		if !strings.Contains(e, old) {
			continue
		}
		if chars := []rune(e); len(chars) > 80 {
			e = string(chars[:80]) + "..."
		}
		all = append(all, e)
	}
	return all
}

func (h *hermesTool) batch(target string, ops vectortest.Value) answer {
	if ops.Len() == 0 {
		return wrong("operations list is empty.")
	}
	for i := range ops.Len() {
		action, content := ops.Item(i).Member("action").Text(), ops.Item(i).Member("content").Text()
		if why := h.d.scan(content); why != "" && (action == "add" || action == "replace") {
			return wrong(fmt.Sprintf("Operation %d: %s", i+1, why))
		}
	}
	if refused := h.refused(target, true); refused != nil {
		return refused
	}
	entries := h.entries(target)
	fails := func(text string) answer {
		a := wrong(text + " No operations were applied (batch is all-or-nothing).")
		a["usage"] = h.fullness(target, entries)
		return h.failed(a)
	}
	working, was := slices.Clone(entries), map[string]map[string]string{}
	for i := range ops.Len() {
		why, field, before := "", "", ""
		if working, why, field, before = h.step(working, ops.Item(i)); why != "" {
			action := ops.Item(i).Member("action").Text()
			if action == "" {
				action = "unknown"
			}
			return fails(fmt.Sprintf("Operation %d (%s): %s", i+1, action, why))
		}
		if field != "" {
			if was[field] == nil {
				was[field] = map[string]string{}
			}
			was[field][strconv.Itoa(i+1)] = before
		}
	}
	if len(entries) > 0 && len(working) == 0 {
		return fails(
			"Refusing to empty " + hermesNames[target] + ": this batch would remove every entry from a previously non-empty store. Keep at least one entry — " +
				"merge overlapping entries into a shorter one instead of removing the last one. To delete the final entry deliberately, use single remove() calls.",
		)
	}
	if limit := h.limits[target]; h.size(working) > limit {
		return fails(
			fmt.Sprintf(
				"After applying all %d operations, memory would be at %s/%s chars -- over the limit. Remove or shorten more entries in the same batch, then retry.",
				ops.Len(),
				h.d.amount(h.size(working)),
				h.d.amount(limit),
			),
		)
	}
	a := h.save(target, fmt.Sprintf("Applied %d operation(s).", ops.Len()), working)
	for field, texts := range was {
		a[field] = texts
	}
	return a
}

// step applies one operation of a batch, or says why not. Before is the entry that was
// there, which the answer names in field.
func (h *hermesTool) step(working []string, op vectortest.Value) (with []string, why, field, before string) {
	content := op.Member("content").Text()
	if content == "" {
		content = op.Member("new_text").Text()
	}
	content, old := h.d.trim(content), h.d.trim(op.Member("old_text").Text())
	action := op.Member("action").Text()
	switch {
	case action == "add" && content == "":
		return working, "content is required.", "", ""
	case action == "add" && slices.Contains(working, content):
		return working, "", "", ""
	case action == "add":
		return append(working, content), "", "", ""
	case action != "replace" && action != "remove":
		return working, "unknown action. Use add, replace, or remove.", "", ""
	case old == "":
		return working, "old_text is required.", "", ""
	case action == "replace" && content == "":
		return working, "content is required (use action='remove' to delete).", "", ""
	}
	i := match(working, old)
	switch i {
	case -1:
		return working, "no entry matched '" + old + "'.", "", ""
	case -2:
		return working, "'" + old + "' matched multiple distinct entries -- be more specific.", "", ""
	}
	if before = working[i]; action == "remove" {
		return slices.Delete(working, i, i+1), "", "removed_entries", before
	}
	working[i] = content
	return working, "", "replaced_entries", before
}
