package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

type rulesJSON struct {
	Schema int        `json:"schema"`
	Rules  []ruleJSON `json:"rules"`
}

type ruleJSON struct {
	ID       text   `json:"id"`
	Family   string `json:"family"`
	Severity string `json:"severity"`
	Name     text   `json:"name"`
	Why      text   `json:"why"`
	Next     text   `json:"next"`
	Source   text   `json:"source"`
}

func (e Env) rules() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "rules [ID...]",
		Short: "list the rules of the audit",
		Long: `Lists the rules that winnow audit goes by: the id, the family, how severe a finding
is, and what it is. With ID it says why it is one, what to do, and where the form is
documented. To anything but a terminal the columns have a tab between them.`,
		Example: examples("winnow rules", "winnow rules github-pat", "winnow rules --json | jq '.rules[].id'"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := e.checkRules("rules", args); err != nil {
				return err
			}
			return e.printRules(e.Auditing.AuditRules(), args, asJSON)
		},
	}
	e.completeRules(c, "")
	jsonFlag(c, &asJSON)
	return c
}

func (e Env) printRules(rules []memory.AuditRule, ids []string, asJSON bool) error {
	o := e.output(false)
	j := rulesJSON{Schema: schemaVersion, Rules: []ruleJSON{}}
	shown, wide := 0, idWidth(rules)
	for i := range rules {
		u := &rules[i]
		if len(ids) > 0 && !slices.Contains(ids, u.ID) {
			continue
		}
		shown++
		switch {
		case asJSON:
			j.Rules = append(j.Rules, ruleJSON{
				ID: text(u.ID), Family: string(u.Family), Severity: u.Severity.String(),
				Name: text(u.Name), Why: text(u.Why), Next: text(u.Next), Source: text(u.Source),
			})
		case len(ids) > 0:
			if shown > 1 {
				o.printf("\n")
			}
			o.printRule(u)
		case o.width > 0:
			o.line(fmt.Sprintf("%s  %s  %s  %s", views.Cell(safe.Line(u.ID), wide), views.Cell(string(u.Family), 9),
				views.Cell(u.Severity.String(), 6), safe.Line(u.Name)))
		default:
			o.printf("%s\n", strings.Join([]string{word(u.ID), word(string(u.Family)), word(u.Severity.String()), word(u.Name)}, "\t"))
		}
	}
	if asJSON {
		return o.json(j)
	}
	return o.close()
}

// idWidth is how many cells the longest id takes.
func idWidth(rules []memory.AuditRule) (wide int) {
	for i := range rules {
		wide = max(wide, views.Width(safe.Line(rules[i].ID)))
	}
	return wide
}

// printRule prints all that is known of a rule.
func (o *output) printRule(u *memory.AuditRule) {
	o.field("id", safe.Line(u.ID))
	o.field("name", word(u.Name))
	o.field("family", string(u.Family))
	o.field("severity", u.Severity.String())
	for _, part := range [][2]string{{"why", u.Why}, {"next", u.Next}, {"source", u.Source}} {
		if part[1] != "" {
			o.printf("%s\n", part[0])
			o.paragraph("  ", safe.Line(part[1]))
		}
	}
}
