package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"winnow/core/jstext"
)

// TestCampaignOnlyNamedLinesChange makes random changes of random stores by commands:
// only the lines that the plan names change, and the undo gives the same bytes.
func TestCampaignOnlyNamedLinesChange(t *testing.T) {
	n := share(t, 100)
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	tally := map[string]int{}
	for i := range n {
		random := rand.New(rand.NewPCG(*seed, uint64(i)))
		g, err := newSandbox(t.TempDir(), randomStore(random))
		if err != nil {
			t.Fatal(err)
		}
		args := randomChange(random)
		what, err := g.thereAndBack(program, args)
		if err != nil {
			t.Errorf("store %d, winnow %s: %v", i, strings.Join(args, " "), err)
		}
		tally[args[0]+" "+what]++
	}
	t.Logf("%d stores: %v", n, tally)
}

// randomStore returns a store with lines of every sort.
func randomStore(random *rand.Rand) string {
	var b strings.Builder
	ending := []string{"\n", "\r\n"}[random.IntN(2)]
	for i := range 1 + random.IntN(12) {
		line := strings.TrimSuffix(
			lessonLine(fmt.Sprintf("id-%d", i), fmt.Sprintf("Task é %d", i), random.IntN(4)),
			"\n",
		)
		switch random.IntN(8) {
		case 0:
			line = strings.Replace(line, `"relevance_count":`, `"odd" : [1.0, 1e2] , "relevance_count" :  `, 1)
		case 1:
			line = strings.Replace(line, "Task", `\u0054\u0061sk`, 1)
		case 2:
			line = []string{"", "{\"cut\":", "null", "[1]", "\xff\xfe", "  " + line + " "}[random.IntN(6)]
		case 3:
			line = strings.Replace(line, fmt.Sprintf("id-%d", i), "id-0", 1) // shares its id
		}
		b.WriteString(line + ending)
	}
	if random.IntN(3) == 0 {
		return strings.TrimSuffix(b.String(), ending)
	}
	return b.String()
}

// randomChange returns a command; not each can be done in each store.
func randomChange(random *rand.Rand) []string {
	line := func() string { return fmt.Sprintf(":%d", 1+random.IntN(6)) }
	text := fmt.Sprintf("lesson=Changed %d.", random.IntN(1000))
	all := [][]string{
		{"rm", line()}, {"rm", line(), line()}, {"edit", line(), "--set", text, "--set", "relevance_count=7"},
		{"add", "--set", "task_summary=New", "--set", text, "--set", "outcome=failed"},
		{"merge", line(), line()}, {"prune", "--keep", fmt.Sprint(random.IntN(5))}, {"repair"},
		{"recall", "--commit", "task"},
	}
	return all[random.IntN(len(all))]
}

// thereAndBack makes a change, looks what became of the lines, and takes it back.
func (g sandbox) thereAndBack(program string, args []string) (what string, err error) {
	raw, err := os.ReadFile(g.store)
	if err != nil {
		return "", err
	}
	old := string(raw)
	yes := []string{"--json", "--reveal", "--store", g.store}
	if args[0] == "rm" || args[0] == "merge" || args[0] == "prune" || args[0] == "repair" {
		yes = append(yes, "--yes")
	}
	o := g.run(program, append(args, yes...)...)
	raw, err = os.ReadFile(g.store)
	if err != nil {
		return "", err
	}
	now := string(raw)
	if o.status != 0 || now == old {
		if now != old {
			err = fmt.Errorf("status %d, %s, and the store changed from\n%q to\n%q", o.status, o.err, old, now)
		}
		return "refused", err
	}
	if err := onlyNamed(o.out, old, now); err != nil {
		return "made", err
	}
	if o := g.run(program, "undo", "--store", g.store); o.status != 0 {
		return "made", fmt.Errorf("undo: status %d, %s", o.status, o.err)
	}
	if raw, err = os.ReadFile(g.store); err == nil && string(raw) != old {
		err = fmt.Errorf("the undo leads to\n%q, want\n%q", raw, old)
	}
	return "made", err
}

// onlyNamed compares the lines that no plan in the output names.
func onlyNamed(out, old, now string) error {
	type change struct{ Before, After string }
	type plans struct {
		Plans []struct{ Changes []change }
	}
	var v struct {
		plans
		Commit *struct{ Changes []change }
	}
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		return err
	}
	if v.Commit != nil {
		v.Plans = append(v.Plans, *v.Commit)
	}
	was, is := strings.Split(old, "\n"), strings.Split(now, "\n")
	for _, p := range v.Plans {
		for _, ch := range p.Changes {
			was, is = without(was, ch.Before), without(is, ch.After)
		}
	}
	// An addition ends a last line that had no end.
	a := strings.TrimSpace(strings.Join(was, "\n"))
	b := strings.TrimSpace(strings.Join(is, "\n"))
	if a != b {
		return fmt.Errorf("the lines that no plan names were\n%q, and are\n%q", a, b)
	}
	return nil
}

// without takes one line of that stored form out.
func without(lines []string, form string) []string {
	if form == "" {
		return lines
	}
	for i, line := range lines {
		if strings.TrimSpace(jstext.Decode([]byte(line))) == strings.TrimSpace(form) { // as JSON can say it
			return append(append([]string{}, lines[:i]...), lines[i+1:]...)
		}
	}
	return lines
}
