package learn

import (
	"regexp"
	"strings"
	"sync"
)

// leftOut is a kind of failure that nobody learns from, and why.
type leftOut struct {
	why     string
	tool    func() *regexp.Regexp // nil for any tool
	command func() *regexp.Regexp // nil for any command
	failure func() *regexp.Regexp // nil for any error
	// unless matches errors that are kept nevertheless; nil for none.
	unless func() *regexp.Regexp
}

// anyOf returns an expression that matches one of some expressions, whatever their case. It is put together and
// compiled on first use.
func anyOf(parts ...string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?im)` + strings.Join(parts, "|")) })
}

// callIsWrong matches errors that say that the call itself is wrong, whatever it works on.
var callIsWrong = anyOf(
	`command not found`, `: not found$`, `executable file not found`, `not recognized as`, `not installed`,
	`(?:unknown|unrecogni[sz]ed|invalid|unexpected|bad|illegal) (?:option|flag|argument|command|subcommand|switch)`,
	`no such (?:option|flag|argument|command|subcommand|script|target|task|file)`, `flag provided but not defined`,
	`missing script`, `script not found`, `not a (?:git repository|valid)`, `no module named`, `can't open file`,
	`cannot find module '?(?:/|[A-Z]:)`, `permission denied`, `eacces`, `enoent`, `does not contain main module`,
	`go\.mod file not found`, `no rule to make target`, `could not (?:find|read|determine|open)`, `couldn't find`,
	`unable to (?:find|locate|connect)`, `connection refused`, `econnrefused`, `required`, `unsupported`,
	`no longer`, `deprecated`, `eresolve`, `err_pnpm`, `is not (?:running|supported|defined in)`,
	`could not resolve`, `no upstream branch`,
)

// leftOuts are the failures that are left out, the first that fits.
var leftOuts = []leftOut{
	{
		why: "the agent's own tool refused its arguments: harness",
		tool: anyOf(
			`^(?:read|edit|multiedit|write|notebookedit|glob|grep|ls|todowrite|task\w*|agent|skill|toolsearch)$`,
			`^(?:exitplanmode|enterplanmode|askuserquestion|webfetch|websearch|bashoutput|killshell|sendmessage)$`,
			`^(?:update_plan|apply_patch|view_image|read_file|write_file|replace|search_file_content)$`,
			`^(?:list_directory|write_stdin|request_user_input|spawn_agent|send_input|wait|close_agent)$`,
		),
	},
	{
		why:     "a patch that did not fit the file: work under way",
		command: anyOf(`^(?:apply_patch|patch|git apply)\b`),
	},
	{
		why: "the agent's program stopped, cancelled or cut the call: harness",
		failure: anyOf(
			`timed out after`, `command timed out`, `<tool_use_error>`, `inputvalidationerror`,
			`sibling tool call`, `cancelled: parallel`, `tool call (?:was )?(?:cancelled|aborted)`,
			`\binterrupted\b`, `aborted by user`, `no such tool available`, `exceeds maximum allowed`,
			`was killed`, `session not found`, `unknown process id`, `failed to parse function arguments`,
			`shell cwd was reset`, `stdin is closed`, `no task found with id`, `request was aborted`,
			`tool execution (?:was )?(?:aborted|cancelled)`,
		),
	},
	{
		why: "permissions of the agent, which the person sets",
		failure: anyOf(
			`requires approval`, `permission to use`, `has been denied`, `haven't granted`,
			`was blocked\. for security`, `for security, claude code`, `approval (?:policy|required)`,
			`outside (?:of )?the (?:allowed|working)`, `rejected by user`, `user rejected`, `sandbox`,
			`operation not permitted`, `read-only file system`, `seatbelt`, `landlock`, `auto-denied`,
		),
	},
	{
		why: "a hook blocked it on purpose",
		failure: anyOf(
			`hook (?:blocked|error|denied|failed)`, `blocked by (?:\w+ ){0,3}hook`, `(?:pre|post)tooluse`,
			`husky`, `pre-commit hook`, `lefthook`,
		),
	},
	{
		why: "lint, types, builds or tests of work that is not done yet",
		command: anyOf(`(?:^|[\s/:_-])(?:` +
			`tests?|specs?|e2e|lint|typecheck|type-check|tsc|vet|build|check|verify|compile|ci|pytest|jest|vitest|` +
			`mocha|eslint|ruff|mypy|pyright|flake8|black|prettier|biome|clippy|golangci-lint|rubocop|phpunit|` +
			`phpstan|playwright|cypress|svelte-check|next|gradlew?|mvn|make|cargo|dotnet|xcodebuild|swift|coqc|` +
			`coq_makefile|gofmt|rustc|gcc|g\+\+|clang|javac|webpack|vite|rollup|esbuild|turbo|nx` +
			`)(?:$|[\s:;])`),
		unless: callIsWrong,
	},
	{
		why: "tests of work that is not done yet",
		failure: anyOf(
			`^\s*--- FAIL`, `^FAIL\b`, `AssertionError`, `^E\s{2,}`, `\b[1-9]\d* (?:failed|failing|failures?)\b`,
			`^panic:`, `^not ok\b`,
		),
	},
	{
		why: "a program that the agent wrote for one call",
		command: anyOf(`^(?:\S*/)?(?:python[\d.]*|node|ruby|perl|php|deno|bun|psql|sqlite3|mysql|osascript|` +
			`npx tsx|tsx)\b.*(?:\s-(?:c|e|p|r|-eval)\b|\s-\s*$|<<)`),
		unless: anyOf(
			`command not found`, `: not found$`, `no module named`, `cannot find (?:module|package)`,
			`modulenotfound`, `could not connect`, `does not exist`,
		),
	},
	{
		why: "nothing was found, which is an answer",
		command: anyOf(`^(?:\S*/)?(?:ls|cat|head|tail|grep|rg|find|stat|wc|file|which|test|diff|cd|sed|awk|du|` +
			`tree|less|dir|type|Get-Content|Get-ChildItem|Get-Item|Select-String|Test-Path)\b`),
		unless: anyOf(
			`command not found`, `(?:unknown|invalid|illegal|unrecogni[sz]ed) (?:option|argument|switch)`,
			`unknown predicate`,
		),
	},
	{
		why: "the network or a service was away for the moment",
		failure: anyOf(
			`rate limit`, `too many requests`, `\b(?:429|502|503|504)\b`, `temporarily unavailable`,
			`network is unreachable`, `connection reset`, `socket hang up`, `etimedout`, `timed out`, `timeout`,
		),
	},
	{
		why: "a merge or a push that met the work of others",
		failure: anyOf(
			`merge conflict`, `automatic merge failed`, `non-fast-forward`, `fetch first`,
			`would be overwritten by`, `nothing to commit`, `no changes added`, `nothing added to commit`,
			`local changes`,
		),
	},
}

// leftOutFor returns why a failure is left out, or "". Line is the most informative line of its text.
func leftOutFor(tool, command, line, text string) string {
	for _, l := range leftOuts {
		fits := (l.tool == nil || l.tool().MatchString(tool)) &&
			(l.command == nil || l.command().MatchString(command)) &&
			(l.failure == nil || l.failure().MatchString(text))
		if fits && (l.unless == nil || !l.unless().MatchString(line)) {
			return l.why
		}
	}
	return ""
}
