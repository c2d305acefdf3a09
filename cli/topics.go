package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// topic is a page of the help that is about no single command: prose, or names with what they mean.
type topic struct {
	name, title string
	prose       string
	names       func(*program) [][2]string
	width       int // of the names
}

// topics returns the pages of the help, without the list of all commands.
func topics() []topic {
	return []topic{
		{name: "store", title: "Which store", prose: whichStore},
		{name: "change", title: "What a change does", prose: whatChanges},
		{name: "output", title: "What is printed", prose: whatIsPrinted},
		{
			name:  "exit",
			title: "Exit status",
			names: func(*program) [][2]string { return exitStatuses() },
			width: 4,
		},
		{name: "environment", title: "Environment", names: (*program).environment, width: 22},
	}
}

// text returns the topic as the help prints it.
func (t *topic) text(p *program) string {
	if t.names != nil {
		return t.title + ":\n\n" + table(t.width, t.names(p))
	}
	return t.title + ":\n\n" + rewrap(t.prose) + "\n"
}

const whichStore = `--store takes one of these:

  sessions/memory.jsonl     the file or folder of the store
  SYSTEM:/home/ada/shop     a system and a path, where several systems have a
                            store in one folder
  ~/shop                    a folder with one store in it, below it, or kept
                            elsewhere for that project
  SYSTEM                    a system with one store here; a file or folder of
                            that name goes first (./SYSTEM)

--system NAME leaves out the stores of all other systems, with or without --store. Shell completion
offers systems and stores.

Without --store, commands and screens mean the stores of the working folder and the project
around it: those of agents first, and last those that Winnow keeps itself, if they hold
something. In a linked work tree a store has that work tree's own files, and the memory that an
agent keeps of the whole repository.

Commands that look (list, show, recall, doctor, stats, search, history) cover all of them and
ask nothing. On a terminal each store has a line that begins with # and says how to name it;
rows in a pipe have a column for the store, and JSON is one object with schema 2. A store that
cannot be read does not hide the others, and the highest exit status wins. Where the project has
no store they cover those for all folders. The screens open the first that has records.

Commands that change a store take the one that holds the ids that you give, and say on standard
error which it is. An id that two stores have is refused with both names; for ids of different
stores, and for a --filter that matches in several, the commands for each store are printed. :N
and line N, which every store has, need --store then. undo and redo take what was done last in any of them;
an entry that two histories have needs --store.

Commands that name nothing (add, prune by a rule) take the only store of an agent. If there are
several, Winnow asks on a terminal; otherwise the status is 2, and they are listed as --store
takes them. export and guard take the store of lessons if it is the only one of its kind here.

A word that is the name of a command runs that command. To open a store of that name, use
winnow -- list or winnow ./list. Where a file or folder has the name of a command that was added
later, such as stats, the command says so on standard error.`

const whatChanges = `Every change is a plan first; --dry-run prints it and changes nothing. A plan of one change is
made at once. Winnow shows the plan and asks if it has more than one change, touches a pinned
record, or keeps no copy of the old text; --yes answers. If there is nobody to ask, or standard
input is read for something else, the status is 2 and nothing is changed. Pins, undo, redo,
recall --commit and the decisions of guard do not ask.

ID is the id of a record, whatever else begins with it; the beginning of one if no other begins
so; or :N for the record on line N. A single - reads ids from standard input, one a line. Commands
with --filter take the filter of list; a word that no record has selects nothing there, while list
falls back on similar words.

If a change requires another one, such as the line of an index, that is part of the plan; it is
shown and not counted. If a store should be left alone for now, because its agent runs, the change
is refused with status 6 unless you give --anyway. Changing a read-only store fails with status 1,
and winnow stores --long says why it is one. --readonly refuses whatever would change a store or
its history, with status 2.

The old bytes are in the history, on the disk, before the store changes, and no line changes that
the plan does not name. History is kept for 90 days and up to 50 MB for each store; WINNOW_HISTORY_DAYS,
WINNOW_HISTORY_MB and config.toml change that, and 0 sets no limit. The newest 20 entries are kept
whatever their age, since a clock may be wrong. At the size limit a fifth is freed at once.

A history in the format of an older Winnow is moved aside as history.old by the first change, which
says so. Pins, decisions and what the guard watches are carried over; what the old history has cannot
be undone. doctor names it until it is deleted: by you, by redact or audit --fix, because it may hold
the secret, or by history --purge.`

const whatIsPrinted = `On a terminal, lists, records, recalls and audits are coloured, and what is longer than the screen
goes through $PAGER, or less -FRX. Elsewhere there are no colours and no pager. --color overrides
this, and changes nothing but the colours: with always a pipe gets the same rows in colours. Without
it NO_COLOR, CLICOLOR_FORCE and CLICOLOR=0 are respected, in this order.

Control characters in stored text are made visible: an escape is printed as <ESC>, a right-to-left
override as <U+202E>. What looks like a secret is masked, as in ghp_************, unless you give
--reveal; in names, paths and sentences that quote stored text it becomes [REDACTED]. Two commands
print exact bytes, including secrets, to a file or a pipe: show --raw, and recall with --format block
or prompt.

In a pipe, rows have columns with tabs between them and - for nothing. Times are in the local zone,
or in UTC with --utc. A command that changes a store prints one change a line: done, merged, gone,
planned (with --dry-run) or kept; the kind (delete, edit, add, pin, unpin); the id; the title; and the
reason. What is not about one record goes to standard error.

An error is one line on standard error, winnow: operation object: cause, often with a line hint: below
that says what to do. A reader that stops early, such as head, is no error.`

// helpCommand returns the command that prints the help of a command or a topic. Topics are no commands of their own,
// so that a file or folder may have the name of one.
func (p *program) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND|TOPIC]", Short: "Print help for a command or topic", GroupID: more,
		Long: "Prints the help of a command, or of one of the topics that winnow --help lists.",
		ValidArgsFunction: completeWith(func(context.Context, []string) []string {
			var names []string
			for _, row := range topicRows() {
				names = append(names, row[0])
			}
			for _, c := range subcommands(root) {
				names = append(names, c.Name())
			}
			return names
		}, false),
		RunE: func(c *cobra.Command, args []string) error {
			if text, ok := p.topicText(root, args); ok {
				p.write(c, text)
				return nil
			}
			about, _, err := root.Find(args)
			if err != nil || about == root && len(args) > 0 {
				return usage(
					"winnow help all lists them",
					"help: there is no command or topic %q",
					strings.Join(args, " "),
				)
			}
			return about.Help()
		},
	}
}

// topicText returns the help about a topic, if args name one.
func (p *program) topicText(root *cobra.Command, args []string) (string, bool) {
	if len(args) != 1 {
		return "", false
	}
	if args[0] == allCommands {
		return usageText(root, nil), true
	}
	all := topics()
	i := slices.IndexFunc(all, func(t topic) bool { return t.name == args[0] })
	if i < 0 {
		return "", false
	}
	return all[i].text(p), true
}

// topicRows lists the topics for the help.
func topicRows() [][2]string {
	rows := [][2]string{{allCommands, "all commands: winnow help " + allCommands}}
	for _, t := range topics() {
		title := strings.ToLower(t.title[:1]) + t.title[1:]
		rows = append(rows, [2]string{t.name, title + ": winnow help " + t.name})
	}
	return rows
}
