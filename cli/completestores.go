package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"winnow/views/safe"
)

// completeStores offers the systems and the stores that are found for --store, and the
// systems for --system. Paths are completed by the shell as well.
func (e Env) completeStores(root *cobra.Command, all *flags) {
	// The errors are that a flag does not exist, which a test would see.
	_ = root.RegisterFlagCompletionFunc("system", func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return e.offerSystems(begun), cobra.ShellCompDirectiveNoFileComp
	})
	_ = root.RegisterFlagCompletionFunc("store", e.offerStores(all))
}

// offerStores offers the systems and the stores that are found.
func (e Env) offerStores(all *flags) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		names := e.offerSystems(begun)
		s, err := e.places(c.Context(), all, nil)
		if err != nil {
			return names, cobra.ShellCompDirectiveDefault
		}
		o := e.output(false)
		for _, p := range existing(s) {
			if v := storeValue(p); strings.HasPrefix(v, begun) && !strings.HasPrefix(v, "~") {
				names = append(names, cobra.CompletionWithDesc(o.sentence(v), o.sentence(e.kindName(p))))
			}
		}
		return names, cobra.ShellCompDirectiveDefault
	}
}

func (e Env) offerSystems(begun string) (names []string) {
	for _, s := range e.Library.Systems() {
		if id := string(s.ID); strings.HasPrefix(id, begun) {
			names = append(names, cobra.CompletionWithDesc(id, "the stores of "+safe.Line(s.Name)))
		}
	}
	return names
}
