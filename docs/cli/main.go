// Cli writes docs/cli.md from the help of the commands.
//
//	go run ./docs/cli
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"winnow/cli"
	"winnow/cli/program"
)

// path is where the commands are written to, from the root of the tree.
const path = "docs/cli.md"

func main() {
	if err := os.WriteFile(path, []byte(page()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "cli:", err)
		os.Exit(1)
	}
}

const head = `# The command line

Written by ` + "`go run ./docs/cli`" + ` from the program: ` + "`winnow COMMAND --help`" + ` and ` + "`winnow help TOPIC`" + ` print the same,
and ` + "`winnow man`" + ` prints it as a manual page. The pages on [browsing](browse.md), [recall](recall.md), [the audit](audit.md),
[learning](learn.md) and [sharing](share.md) say what the commands are for, [json.md](json.md) what they print for programs,
and [settings.md](settings.md) what can be set.

`

// page returns the page.
func page() string {
	e, _ := program.New().Env(strings.NewReader(""), io.Discard, io.Discard)
	return head + cli.Reference(e)
}
