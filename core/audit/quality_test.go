package audit_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"winnow/core/audit/audittest"
	"winnow/core/detect"
	"winnow/core/memory"
)

// recorded are the figures that may not fall. WINNOW_UPDATE=1 writes them anew.
const recorded = "../../testdata/audit/quality.json"

// seeds are those of the texts that the figures are of.
var seeds = []uint64{1, 2, 3, 4, 5}

// figure is how well a family is found.
type figure struct {
	Planted int `json:"planted"`
	Found   int `json:"found"`
	// Covered is in how many of them every byte lies in a finding.
	Covered int `json:"covered"`
	// Right and Wrong are findings in the place and anywhere else. In texts with
	// injections or hidden text others of these are neither.
	Right int `json:"right"`
	Wrong int `json:"wrong"`
	// Missed counts by kind, and for secrets by context.
	Missed map[string]int `json:"missed,omitempty"`
	// Alarms counts the wrong ones by the kind of text.
	Alarms map[string]int `json:"alarms,omitempty"`
}

func (f *figure) recall() float64    { return ratio(f.Found, f.Planted) }
func (f *figure) precision() float64 { return ratio(f.Right, f.Right+f.Wrong) }

func ratio(a, b int) float64 { return float64(a) / float64(max(b, 1)) }

// counts reports whether a finding is counted: a secret or an injection that is low is
// a note to a reader, such as of an instruction that is quoted.
func counts(f memory.Family, s memory.Severity) bool {
	return s > memory.Low || f != memory.FamilySecret && f != memory.FamilyInjection
}

// place is a finding in the text of an item.
type place struct {
	start, end int
	family     memory.Family
	rule       string
}

// figures are the figures by family.
type figures map[memory.Family]*figure

func newFigures() figures {
	f := figures{}
	for _, family := range []memory.Family{
		memory.FamilySecret,
		memory.FamilyInjection,
		memory.FamilyHidden,
		memory.FamilyPrivate,
	} {
		f[family] = &figure{Missed: map[string]int{}, Alarms: map[string]int{}}
	}
	return f
}

// add scores what was found in an item.
func (f figures) add(it *audittest.Item, found []place) {
	covered := make([]bool, it.End-it.Start)
	hit := false
	for _, p := range found {
		score := f[p.family]
		in := p.family == it.Family && p.start < it.End && it.Start < p.end
		switch acts := p.family != memory.FamilySecret && it.Family != memory.FamilySecret && it.Family != ""; {
		case score == nil:
		case in:
			hit = true
			score.Right++
			for i := max(p.start, it.Start); i < min(p.end, it.End); i++ {
				covered[i-it.Start] = true
			}
		case !acts && p.family != memory.FamilyPrivate: // hosts and paths are in harmless texts too
			score.Wrong++
			score.Alarms[it.Kind]++
		}
	}
	if score := f[it.Family]; score != nil {
		score.Planted++
		if !hit {
			score.Missed[strings.TrimSuffix(it.Kind+" "+it.Context, " ")]++
			return
		}
		score.Found++
		if !slices.Contains(covered, false) {
			score.Covered++
		}
	}
}

func (f figures) String() string {
	var out strings.Builder
	for _, family := range slices.Sorted(maps.Keys(f)) {
		s := f[family]
		fmt.Fprintf(&out, "\n%-10s recall %.4f (%d of %d, %d wholly), precision %.4f (%d right, %d wrong)\n",
			family, s.recall(), s.Found, s.Planted, s.Covered, s.precision(), s.Right, s.Wrong)
		for _, kind := range slices.Sorted(maps.Keys(s.Missed)) {
			fmt.Fprintf(&out, "    missed %-34s %d\n", kind, s.Missed[kind])
		}
		for _, kind := range slices.Sorted(maps.Keys(s.Alarms)) {
			fmt.Fprintf(&out, "    alarm in %-32s %d\n", kind, s.Alarms[kind])
		}
	}
	return out.String()
}

// TestScannersFindWhatTheyFoundBefore holds the scanners of texts to the recorded
// figures.
func TestScannersFindWhatTheyFoundBefore(t *testing.T) {
	got := newFigures()
	for _, seed := range seeds {
		for _, it := range audittest.Corpus(seed) {
			if !it.Lands {
				got.add(&it, scan(it.Text))
			}
		}
	}
	hold(t, "scanners", got)
}

// scan returns what the scanners find in a text.
func scan(text string) (found []place) {
	rules := map[string]memory.AuditRule{}
	for _, r := range detect.Rules() {
		rules[r.ID] = r
	}
	add := func(start, end int, id string) {
		if r := rules[id]; counts(r.Family, r.Severity) {
			found = append(found, place{start, end, r.Family, id})
		}
	}
	if s, ok := detect.CutKey(text); ok {
		add(s.Start, s.End, s.Rule)
	}
	for _, s := range detect.Secrets(text) {
		add(s.Start, s.End, s.Rule)
	}
	for _, s := range slices.Concat(detect.Flags(text), detect.PII(text)) {
		add(s.Start, s.End, s.Rule)
	}
	return found
}

// hold compares figures with the recorded ones, and records them when told to.
func hold(t *testing.T, name string, got figures) {
	t.Helper()
	maps.DeleteFunc(got, func(_ memory.Family, f *figure) bool { return f.Planted+f.Wrong == 0 })
	t.Log(got)
	all := map[string]figures{}
	if raw, err := os.ReadFile(recorded); err != nil {
		t.Error(err)
	} else if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("WINNOW_UPDATE") != "" {
		all[name] = got
		raw, err := json.MarshalIndent(all, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(recorded, append(raw, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for family, f := range got {
		was := all[name][family]
		if was == nil {
			t.Errorf("%s: nothing is recorded for %s: record it with WINNOW_UPDATE=1", name, family)
			continue
		}
		for what, pair := range map[string][2]float64{
			"recall": {f.recall(), was.recall()}, "precision": {f.precision(), was.precision()},
			"wholly covered": {ratio(f.Covered, f.Planted), ratio(was.Covered, was.Planted)},
		} {
			if pair[0] < pair[1] {
				t.Errorf(
					"%s: %s of %s fell from %.4f to %.4f; with -v it is said what is missed",
					name,
					what,
					family,
					pair[1],
					pair[0],
				)
			} else if pair[0] > pair[1] {
				t.Errorf("%s: %s of %s rose from %.4f to %.4f: record it with WINNOW_UPDATE=1, and in docs/lab/audit.md", name, what, family, pair[1], pair[0])
			}
		}
	}
}

// TestTextsNobodyHadInMind measures the rules by injections that were written after
// them.
func TestTextsNobodyHadInMind(t *testing.T) {
	got := newFigures()
	for _, it := range audittest.LateInjections() {
		found := scan(it.Text)
		got.add(&it, found)
		t.Log(it.Text, found)
	}
	hold(t, "later", got)
}
