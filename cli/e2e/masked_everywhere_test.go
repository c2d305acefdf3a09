package e2e

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/cli"
	"winnow/cli/program"
)

// planter puts a secret, an escape sequence and a bidi character into the fields of the
// stores of a home: in each round into every third one, so that the others still say what
// they are.
type planter struct {
	t     failer
	round int
	field int // fields that were passed
}

const (
	plantRounds = 3
	plantedKey  = "ghp_Zq7Rk2Vw9Xt4Nb6Mc1Hd8Jf3Ls5Pg0YaEuTo"
	planted7bit = ` ` + plantedKey + ` \u001b[31m\u202e`
	plantedText = " " + plantedKey + " \x1b[31m\u202e"
)

// chosenRounds are the rounds to try, which together plant in every field: all of them
// unless the campaigns are at a hundredth, and then the one that the seed chooses.
func chosenRounds() []int {
	if isSmall() {
		return []int{int(*seed % plantRounds)}
	}
	return []int{0, 1, 2}
}

// due reports whether the next field is one of this round.
func (p *planter) due() bool {
	p.field++
	return p.field%plantRounds == p.round
}

// home plants in all files of a home, and adds to each folder of notes one whose name is
// hostile too.
func (p *planter) home(h *filledHome) {
	p.t.Helper()
	var paths []string
	h.check(filepath.WalkDir(h.home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" {
			return fs.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, path)
		}
		return err
	}))
	folders := map[string]bool{}
	for i, path := range paths {
		p.field = i // so that not the same field of every file is planted in
		switch filepath.Ext(path) {
		case ".json", ".jsonl":
			p.rewrite(h, path, p.inJSON)
		case ".md":
			raw, err := os.ReadFile(path)
			h.check(err)
			p.rewrite(h, path, p.inLines)
			if dir := filepath.Dir(path); !folders[dir] && filepath.Base(dir) != "dev" {
				folders[dir] = true
				h.check(os.WriteFile(filepath.Join(dir, "note"+plantedText+".md"), raw, 0o600))
			}
		case ".txt":
			p.rewrite(h, path, p.inLines)
		case ".db":
			p.inDatabase(h, path)
		}
	}
}

func (p *planter) rewrite(h *filledHome, path string, planted func(string) string) {
	raw, err := os.ReadFile(path)
	h.check(err)
	info, err := os.Stat(path)
	h.check(err)
	h.check(os.WriteFile(path, []byte(planted(string(raw))), 0o600))
	h.check(os.Chtimes(path, info.ModTime(), info.ModTime()))
}

// inJSON plants in the strings of a JSON text, but for names of members.
func (p *planter) inJSON(text string) string {
	var out strings.Builder
	for text != "" {
		start := strings.IndexByte(text, '"')
		if start < 0 {
			break
		}
		end := start + 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(text) {
			break
		}
		out.WriteString(text[:end])
		if rest := strings.TrimLeft(text[end+1:], " \n"); !strings.HasPrefix(rest, ":") && p.due() {
			out.WriteString(planted7bit)
		}
		out.WriteByte('"')
		text = text[end+1:]
	}
	return out.String() + text
}

// inLines plants at the ends of the lines that hold text.
func (p *planter) inLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.Trim(line, " -`") != "" && p.due() {
			lines[i] += plantedText
		}
	}
	return strings.Join(lines, "\n")
}

// inDatabase plants in the texts of all tables that take it.
func (p *planter) inDatabase(h *filledHome, path string) {
	db, err := sql.Open("sqlite", path)
	h.check(err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec("PRAGMA foreign_keys = off")
	h.check(err)
	var columns [][2]string
	rows, err := db.Query(`SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.sql NOT LIKE '%VIRTUAL%' AND m.name NOT LIKE '%migration%'`)
	h.check(err)
	for rows.Next() {
		var c [2]string
		h.check(rows.Scan(&c[0], &c[1]))
		columns = append(columns, c)
	}
	h.check(rows.Close())
	for _, c := range columns {
		p.inColumn(h, db, c[0], c[1])
	}
}

func (p *planter) inColumn(h *filledHome, db *sql.DB, table, column string) {
	rows, err := db.Query(`SELECT rowid, "` + column + `" FROM "` + table + `" WHERE typeof("` + column + `") = 'text'`)
	if err != nil { // a table without row ids is an index of another
		return
	}
	texts := map[int64]string{}
	for rows.Next() {
		var id int64
		var text string
		h.check(rows.Scan(&id, &text))
		texts[id] = text
	}
	h.check(rows.Close())
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		text := texts[id]
		switch {
		case json.Valid([]byte(text)):
			text = p.inJSON(text)
		case p.due():
			text += plantedText
		}
		// A value that a constraint refuses stays.
		_, _ = db.Exec(`UPDATE "`+table+`" SET "`+column+`" = ? WHERE rowid = ?`, text, id)
	}
}

var sluggedPlant = regexp.MustCompile(`[A-Za-z0-9-]*---31m-`)

// leaked says what of the plant an output shows as it is, and where.
//
// The name that Claude Code gives the folder of a project is another spelling of its path,
// in which nobody finds a secret.
func leaked(out string) string {
	out = sluggedPlant.ReplaceAllString(out, "")
	what := map[string]string{"\x1b": "an escape sequence", "\u202e": "a bidi character"}
	for i := range len(plantedKey) - runs + 1 {
		what[plantedKey[i:i+runs]] = "a secret"
	}
	for line := range strings.Lines(out) {
		for part, name := range what {
			if i := strings.Index(line, part); i >= 0 {
				return fmt.Sprintf("%s: %q", name, line[max(0, i-120):min(len(line), i+60)])
			}
		}
	}
	joined := strings.Join(strings.Fields(out), "") // a terminal's lines may part it
	for part, name := range what {
		if strings.Contains(joined, part) {
			return name + " on several lines"
		}
	}
	return ""
}

// untimed matches how long an audit took, and in its last line all from there on: the line is wrapped by its length.
var untimed = regexp.MustCompile(`(?s)\d+\s+rules,.*|\d+(\.\d+)?m?s\b`)

// differing returns the first lines in which two outputs differ, the time that they took left out.
func differing(a, b string) (string, string) {
	as, bs := strings.Split(untimed.ReplaceAllString(a, ""), "\n"), strings.Split(untimed.ReplaceAllString(b, ""), "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return as[i], bs[i]
		}
	}
	if len(as) == len(bs) {
		return "", ""
	}
	return fmt.Sprint(len(as), " lines"), fmt.Sprint(len(bs), " lines")
}

// inColours are the commands that print in colours.
var inColours = map[string]bool{"list": true, "show": true, "recall": true, "audit": true}

// inside makes the home that of this process, and returns what runs a command in it, as
// if the output were a terminal of that width, or none with 0.
func (h *filledHome) inside(t *testing.T) func(width int, args ...string) outcome {
	for _, pair := range h.environ() {
		name, value, _ := strings.Cut(pair, "=")
		t.Setenv(name, value)
	}
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("NO_COLOR", "1") // an escape sequence is then never the program's own
	t.Chdir(h.shop)
	return func(width int, args ...string) outcome {
		var out, errs bytes.Buffer
		e, _ := program.New().Env(strings.NewReader(""), &out, &errs)
		e.Width, e.OutTTY = width, width > 0
		status := cli.Run(context.Background(), e, args)
		return outcome{status: status, out: out.String(), err: errs.String()}
	}
}

// plantedCommands are commands that print what is stored. Left out are those that are
// documented to print stored bytes as they are where the output is no terminal: show
// --raw, recall --format block and prompt, and export without --share.
func plantedCommands(stores []string) (list [][]string) {
	list = [][]string{
		{"stores"}, {"stores", "--json"}, {"stores", "--long"}, {"stores", "--findings"}, {"search", "--all", "deploy"}, {"search", "--all", "deploy", "--json"},
		{"--plain"}, {"audit", "."}, {"audit", ".", "--json"}, {"audit", ".", "--markdown"}, {"audit", ".", "--sarif"}, {"audit", "--stores"}, {"list"},
		{"list", "--store", plantedText}, {"doctor", "--store", plantedText}, {"list", "outcome:" + plantedText}, {plantedText}, {"list", "--sort", plantedText},
	}
	for _, s := range stores {
		for _, args := range [][]string{
			{"list"}, {"list", "--json", "--across"}, {"show", ":1", ":2", ":3"}, {"show", ":1", ":2", ":3", "--json"}, {"show", plantedText}, {"show", "n"},
			{"doctor"}, {"doctor", "--json"}, {"history"}, {"history", "--json"}, {"guard", "--once"}, {"recall", "deploy the shop"},
			{"recall", "deploy the shop", "--json"}, {"search", "e"}, {"search", "e", "--json"}, {"audit"}, {"rm", ":1", "--dry-run"}, {"rm", ":1", "--dry-run", "--json"},
			{"edit", ":1", "--set", "title=x" + plantedText, "--dry-run"}, {"edit", ":1", "--set", "body=x" + plantedText, "--anyway", "--dry-run", "--json"},
			{"redact", "--dry-run"}, {"repair", "--dry-run"}, {"prune", "--failed", "--dry-run"}, {"merge", ":1", ":2", "--dry-run"}, {"pin", ":1", "--dry-run"},
			{"export", "--share", "--dry-run"}, {"restore", plantedText}, {"repair", "--dry-run"}, {"add", "--dry-run"},
		} {
			list = append(list, append(slices.Clone(args), "--store", s))
		}
	}
	return list
}

// plantedChanges change a store, and look at what its history says of that.
var plantedChanges = [][]string{
	{"pin", ":1"}, {"edit", ":1", "--set", "title=short"}, {"rm", ":1", "--yes", "--anyway"}, {"undo"}, {"redo"}, {"undo"},
	{"redact", "--yes", "--anyway"}, {"history"}, {"history", "--json"}, {"history", "1"}, {"history", "2", "--json"}, {"guard", "--once"},
}

// TestNothingPlantedComesOut plants in every field of every store of a home with all
// systems, and looks at all that commands print.
func TestNothingPlantedComesOut(t *testing.T) {
	for _, round := range chosenRounds() {
		t.Run(fmt.Sprint("round ", round), func(t *testing.T) { plantedRound(t, round) })
	}
}

func plantedRound(t *testing.T, round int) {
	h := newHousehold(t)
	run := h.inside(t)
	p := &planter{t: t, round: round}
	p.home(h)
	var doc struct{ Stores []listed }
	if o := run(0, "stores", "--json"); json.Unmarshal([]byte(o.out), &doc) != nil || len(doc.Stores) < 18 {
		t.Fatalf("stores --json: status %d, %d stores, %s", o.status, len(doc.Stores), o.err)
	}
	var names []string
	for _, s := range doc.Stores {
		names = append(names, cmp.Or(s.Store, s.Path))
	}
	all := plantedCommands(names)
	commands := sampled(all)
	least := 100 * len(commands) / len(all)
	var mu sync.Mutex
	masked := 0
	alongside(commands, func(args []string) {
		widths := []int{0, 100}
		if slices.Contains(args, "--json") || slices.Contains(args, "--dry-run") {
			widths = widths[:1]
		}
		for _, width := range widths {
			o := run(width, args...)
			mu.Lock()
			if strings.Contains(o.out+o.err, "ghp_***") || strings.Contains(o.out+o.err, "[REDACTED]") {
				masked++
			}
			if what := leaked(o.out + o.err); what != "" {
				t.Errorf("round %d: winnow %q (%d columns) shows %s", round, args, width, what)
			}
			if width > 0 && inColours[args[0]] {
				c := run(width, append(slices.Clone(args), "--color", "always")...)
				if a, b := differing(ansi.Strip(c.out), o.out); a != b {
					t.Errorf("round %d: winnow %q shows other text in colours: %q, without them %q", round, args, a, b)
				}
			}
			mu.Unlock()
		}
	})
	for _, store := range []string{filepath.Join(h.shop, "sessions", "memory.jsonl"), h.at(".hermes/memories/MEMORY.md")} {
		for _, args := range plantedChanges {
			o := run(0, append(slices.Clone(args), "--store", store)...)
			if what := leaked(o.out + o.err); what != "" {
				t.Errorf("round %d: winnow %q shows %s", round, args, what)
			}
		}
	}
	t.Logf("round %d: %d outputs with a masked secret", round, masked)
	if masked < least {
		t.Errorf("round %d: only %d outputs hold a masked secret", round, masked)
	}
}
