package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

func jsonFlag(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "json", false, "print JSON, as docs/cli.md describes it")
}

func revealFlag(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "reveal", false, "show secrets, which are masked otherwise")
}

// complete offers values for a flag in shell completion.
func complete(c *cobra.Command, flag string, values ...string) {
	// The error is that the flag does not exist, which a test would see.
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// onlyOne refuses more than one of the flags.
func onlyOne(c *cobra.Command, names ...string) error {
	var given []string
	for _, n := range names {
		if c.Flags().Changed(n) {
			given = append(given, "--"+n)
		}
	}
	if len(given) > 1 {
		return usage("leave out one of them", "%s: %s do not go together", c.Name(), strings.Join(given, " and "))
	}
	return nil
}
