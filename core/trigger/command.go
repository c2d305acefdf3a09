package trigger

import "winnow/core/shell"

// Commands returns the words of each simple command of a shell line, without their quotes, and of those that it has
// a shell run.
func Commands(line string) [][]string {
	var all [][]string
	for _, c := range shell.Split(line) {
		all = append(all, c.Words)
	}
	return all
}
