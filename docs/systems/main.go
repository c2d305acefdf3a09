// Systems writes docs/systems.md from what the systems declare of themselves.
//
//	go run ./docs/systems
package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"

	"winnow/core/system"
	"winnow/core/systems/all"
)

// path is where the table is written to, from the root of the tree.
const path = "docs/systems.md"

func main() {
	if err := os.WriteFile(path, []byte(page(all.Systems(time.Now))), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "systems:", err)
		os.Exit(1)
	}
}

const head = `# The systems

Written by ` + "`go run ./docs/systems`" + ` from what the systems declare; a test holds it against
what their stores can do. Every store can be listed, shown, searched and audited.

*Recall* is exact where Winnow shows byte for byte what the model reads, and an estimate where
a model chooses what it reads: what it is given to choose from is exact all the same.
*Watch* says that a change by somebody else is shown while you look. *Learn* says where the
system's own sessions could be learnt from. *Share* says whether its records can be shared with other
machines: see [share.md](share.md).

| system | store | recall | edit | delete | watch | learn | share |
|---|---|---|---|---|---|---|---|
`

const foot = `
## How to add one

1. Write down how the product stores, recalls and injects, from its source, and collect inputs
   with the outputs of the real program: the tests need both.
2. Make a folder below ` + "`core/systems`" + ` with a function ` + "`System`" + `. It returns a ` + "`system.System`" + `: how
   to find the stores without opening them (quickly where the product is not installed), which files and
   folders belong to it, how to open a store, the form of its files for the audit, and its abilities.
3. Implement ` + "`system.Store`" + ` from [core/system](../core/system/system.go): ` + "`Info`" + ` and ` + "`List`" + `.
   Pass on a record that cannot be decoded with its problem; never skip it. ` + "`Info`" + ` also says in which words
   and columns records are shown, where the defaults do not fit.
4. Add what the product allows: ` + "`Snapshotter`, `Summarizer`, `Recaller`, `Watched`" + `, and for changes
   ` + "`Composer`" + ` and ` + "`Writer`" + `. ` + "`core/quietread`" + ` opens files; ` + "`core/filestore`" + ` reads folders and front
   matter, and writes files; ` + "`core/sqlite`" + ` reads and changes databases. Where stores are folders of text
   files, ` + "`core/systems/instructions`" + ` has all of this: describe the agent as an ` + "`Agent`" + `, with a function that finds what its
   sessions are given and one that writes the blocks of it; where a store is one file of entries, ` + "`core/entries`" + ` has it.
   A tool that only reads files of rules is a line in the table of ` + "`core/systems/rulefiles`" + `.
5. Run ` + "`systemtest.Run`" + ` on a good and a damaged store, and a fuzz test on everything that parses.
6. Name the folder in ` + "`core/systems/all`" + `, the only place that does. Nothing changes in ` + "`tui`, `views`" + ` or
   ` + "`cli`" + `. Then run ` + "`go run ./docs/systems`" + `.
`

// page returns the table as Markdown.
func page(systems []system.System) string {
	var b strings.Builder
	b.WriteString(head)
	var notes []string
	for i := range systems {
		k := &systems[i]
		for _, a := range k.Abilities {
			mark := ""
			if a.Note != "" {
				notes = append(notes, a.Note)
				mark = fmt.Sprintf(" (%d)", len(notes))
			}
			fmt.Fprintf(
				&b,
				"| %s `%s` | %s%s | %s | %s | %s | %s | %s | %s |\n",
				k.Name,
				k.ID,
				a.Store,
				mark,
				cmp.Or(
					a.Recall,
					system.NoRecall,
				),
				cmp.Or(a.Edit, "no"),
				cmp.Or(a.Delete, "no"),
				yes(a.Watch),
				cmp.Or(a.Learn, "no"),
				yes(a.Share),
			)
		}
	}
	if len(notes) > 0 {
		b.WriteByte('\n')
	}
	for i, n := range notes {
		fmt.Fprintf(&b, "%d. %s\n", i+1, n)
	}
	b.WriteString(foot)
	return b.String()
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
