// Rules writes docs/rules.md from the rules of the audit.
//
//	go run ./docs/rules
package main

import (
	"fmt"
	"os"
	"strings"

	"winnow/core/audit"
	"winnow/core/memory"
)

// path is where the rules are written to, from the root of the tree.
const path = "docs/rules.md"

func main() {
	if err := os.WriteFile(path, []byte(page(audit.Rules())), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "rules:", err)
		os.Exit(1)
	}
}

const head = `# The rules of the audit

Written by ` + "`go run ./docs/rules`" + ` from the program. ` + "`winnow rules`" + ` prints the same, and
` + "`winnow audit --rule ID`" + ` reports the findings of one. [audit.md](audit.md) says how findings
are read, mended and ignored.
`

// abouts says what the families are, in the order of the page.
func abouts() [][2]string {
	return [][2]string{
		{
			string(memory.FamilySecret),
			"Keys and passwords. Whoever reads one can use it: revoke it before anything else.",
		},
		{string(memory.FamilyPrivate), "Who and where somebody is. Listed as one line a kind."},
		{
			string(memory.FamilyInjection),
			"Text that acts on the model that reads it, or leaves the block that it lands in.",
		},
		{string(memory.FamilyHidden), "Text that a person does not see, and a model does."},
		{string(memory.FamilyRedaction), "Redaction that took too much, or that can be taken back."},
		{string(memory.FamilyFile), "The file itself, not what is in it."},
	}
}

// page returns the rules as Markdown, a table a family.
func page(rules []memory.AuditRule) string {
	var b strings.Builder
	b.WriteString(head)
	for _, about := range abouts() {
		var rows []string
		for i := range rules {
			if string(rules[i].Family) == about[0] {
				rows = append(rows, row(&rules[i]))
			}
		}
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(
			&b,
			"\n## %s\n\n%s\n\n| rule | severity | what | why | do next | source |\n|---|---|---|---|---|---|\n%s",
			about[0],
			about[1],
			strings.Join(rows, ""),
		)
	}
	return b.String()
}

func row(u *memory.AuditRule) string {
	return fmt.Sprintf(
		"| `%s` | %s | %s | %s | %s | %s |\n",
		u.ID,
		u.Severity,
		plain(u.Name),
		plain(u.Why),
		plain(u.Next),
		u.Source,
	)
}

// plain returns a text in which nothing is markup. Lines within words are none.
func plain(s string) string {
	return strings.NewReplacer("\\", `\\`, "|", `\|`, "<", `\<`, "[", `\[`, "*", `\*`, "`", "\\`", "$", `\$`).Replace(s)
}
