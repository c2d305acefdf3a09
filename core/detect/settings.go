package detect

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// FlagsInFile returns the flags in the text of a file. If the file holds settings that an agent obeys, what
// they turn off or start is of high severity: a setting is in force, whatever anybody meant by it.
func FlagsInFile(name, text string) []memory.Trace {
	if path.Ext(name) == ".toml" && !IsSettings(name) {
		text = withoutMarks(text)
	}
	found := Flags(text)
	if IsSettings(name) {
		found = mergeTraces(sortTraces(append(found, settingsTraces(name, text)...)))
	}
	return found
}

// withoutMarks returns TOML with blanks for the quotation marks around values: they end a text, and quote nobody.
func withoutMarks(text string) string {
	out := []byte(text)
	at := 0
	for line := range strings.Lines(text) {
		written := strings.TrimRight(line, " \t\r\n")
		begin, marks := marksOf(written)
		copy(out[at+begin:], blanks[:len(marks)])
		if rest := written[begin+len(marks):]; marks != "" && strings.HasSuffix(rest, marks) {
			copy(out[at+len(written)-len(marks):], blanks[:len(marks)])
		}
		at += len(line)
	}
	return string(out)
}

const blanks = "   "

// marksOf returns the quotation marks with which a line of TOML begins or ends a text, and where they are.
func marksOf(line string) (at int, marks string) {
	key, value, isMember := strings.Cut(line, "=")
	if !isMember || strings.Trim(strings.TrimSpace(key), bareKey) != "" {
		value, isMember = line, false
	}
	value = strings.TrimLeft(value, " \t")
	for _, marks := range [...]string{`"""`, "'''", `"`, "'"} {
		rest, isMarked := strings.CutPrefix(value, marks)
		if isMarked && (isMember || rest == "" && len(marks) > 1) {
			return len(line) - len(value), marks
		}
	}
	return 0, ""
}

// bareKey are the characters of a key of TOML without quotation marks.
const bareKey = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."

// IsSettings reports whether a file with this path holds settings of an agent.
func IsSettings(name string) bool {
	folder, base := path.Base(path.Dir(name)), strings.ToLower(path.Base(name))
	switch base {
	case ".mcp.json", "opencode.json", "opencode.jsonc":
		return true
	case "settings.json", "settings.local.json":
		return inWordList(".claude .gemini .qwen .vscode .factory .augment .amp", folder)
	case "mcp.json":
		return inWordList(".cursor .vscode .gemini .roo .kilocode .trae .factory .amazonq mcp settings", folder)
	case "hooks.json":
		return inWordList(".cursor .codex .windsurf hooks", folder)
	case "plugin.json":
		return folder == ".claude-plugin"
	case "config.toml":
		return folder == ".codex"
	}
	return false
}

func settingsTraces(name, text string) (out []memory.Trace) {
	if path.Ext(name) == ".toml" {
		return codexTraces(text)
	}
	text, _ = jstext.WithoutComments(text) // of the same length
	d := json.NewDecoder(strings.NewReader(text))
	eachSetting(d, nil, func(keys []string, value any) {
		end := int(d.InputOffset())
		start := max(0, strings.LastIndexByte(text[:end], '\n')+1)
		start += len(text[start:end]) - len(strings.TrimLeft(text[start:end], " \t"))
		for _, rule := range settingRules(strings.ToLower(strings.Join(keys, ".")), value) {
			out = append(out, memory.Trace{Start: start, End: end, Rule: rule, Severity: memory.High})
		}
	})
	return out
}

// codexTraces returns what the settings of Codex turn off or start.
func codexTraces(text string) (out []memory.Trace) {
	if m := boundlessCodex().FindStringSubmatchIndex(text); m != nil && boundlessSandbox().MatchString(text) {
		out = append(out, memory.Trace{Start: m[2], End: m[3], Rule: RulePermissions, Severity: memory.High})
	}
	starts, at := false, 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[") && strings.HasSuffix(trimmed, "]") {
			starts = hasAnyPrefix(strings.Trim(trimmed, "[] \t"), codexStarting)
		}
		if !strings.HasPrefix(trimmed, "#") && (starts || hasAnyPrefix(trimmed, codexStarting)) {
			for _, t := range HarmfulWhenRun(line) {
				t.Start, t.End = at+t.Start, at+t.End
				out = append(out, t)
			}
		}
		at += len(line)
	}
	return out
}

// In Codex, nobody is asked and nothing is kept out of reach only if both are set.
var (
	boundlessCodex = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*(approval_policy[ \t]*=[ \t]*["']never["'])`)
	})
	boundlessSandbox = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*sandbox_mode[ \t]*=[ \t]*["']danger-full-access["']`)
	})
)

// maxSettingDepth limits how deep settings are nested.
const maxSettingDepth = 64

// eachSetting calls fn for each value that is neither an object nor a list, with the keys that lead to it. It
// stops at what is no JSON.
func eachSetting(d *json.Decoder, keys []string, fn func(keys []string, value any)) bool {
	t, err := d.Token()
	if err != nil || len(keys) > maxSettingDepth {
		return false
	}
	open, nested := t.(json.Delim)
	if !nested {
		fn(keys, t)
		return true
	}
	for d.More() {
		inner := keys
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return false
			}
			inner = append(slices.Clip(keys), key.(string))
		}
		if !eachSetting(d, inner, fn) {
			return false
		}
	}
	_, err = d.Token()
	return err == nil
}

// settingRules returns the rules that a setting breaks: it ends an agent's questions, or what it starts sends
// or runs what it should not.
func settingRules(key string, value any) (rules []string) {
	text, _ := value.(string)
	on := value == true
	switch key {
	case "permissions.defaultmode":
		if text == "bypassPermissions" {
			return []string{RulePermissions}
		}
	case "permissions.allow":
		if inWordList("Bash Bash(*) Bash(*:*) Bash(:*) *", text) {
			return []string{RulePermissions}
		}
	case "skipdangerousmodepermissionprompt", "chat.tools.autoapprove", "chat.tools.global.autoapprove",
		"tools.autoapprove":
		if on {
			return []string{RulePermissions}
		}
	case "general.defaultapprovalmode":
		if text == "yolo" {
			return []string{RulePermissions}
		}
	case "permission", "permission.*":
		if text == "allow" {
			return []string{RulePermissions}
		}
	}
	if text == "" || !hasAnyPrefix(key, startingKeys) {
		return nil
	}
	for _, t := range HarmfulWhenRun(text) {
		rules = append(rules, t.Rule)
	}
	return rules
}

// HarmfulWhenRun returns the flags in a command that an agent runs by itself which it breaks by being run, as evidence.
func HarmfulWhenRun(command string) (out []memory.Trace) {
	for _, t := range Flags(command) {
		if slices.Contains(harmfulWhenRun, t.Rule) {
			t.Severity = memory.High
			out = append(out, t)
		}
	}
	return out
}

// startingKeys are the beginnings of keys whose values an agent runs, separated by semicolons.
const startingKeys = "hooks.;mcpservers.;mcp.;servers.;statusline.;apikeyhelper;awsauthrefresh;otelheadershelper"

// codexStarting are the beginnings of tables and keys whose values Codex runs, separated by semicolons.
const codexStarting = "mcp_servers;hooks;notify"

// harmfulWhenRun are the rules that a command breaks by being run.
var harmfulWhenRun = []string{RulePipe, RuleSend, RuleSendData, RuleEncoded, RuleAccess, RuleDestroy}
