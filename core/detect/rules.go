package detect

import (
	"slices"
	"sync"

	"winnow/core/memory"
)

// Rules returns every rule of this package: rules for secrets (the most certain first), for
// injected and hidden text, and for private data.
func Rules() []memory.AuditRule {
	return slices.Concat(secretAuditRules(), injectionRules(), piiRules)
}

// Rule returns the rule with the given ID, or the one that it became part of, and reports whether it exists.
func Rule(id string) (memory.AuditRule, bool) {
	r, ok := ruleByID()[id]
	return r, ok
}

var ruleByID = sync.OnceValue(func() map[string]memory.AuditRule {
	out := map[string]memory.AuditRule{}
	for _, r := range Rules() {
		out[r.ID] = r
		for _, id := range r.Formerly {
			out[id] = r
		}
	}
	return out
})

// IDs of the rules. They must stay stable because baselines and people refer to them.
const (
	RuleOverride    = "override-instructions"
	RuleHide        = "hide-from-user"
	RulePersona     = "persona"
	RuleOrder       = "standing-order"
	RuleChatToken   = "chat-token"
	RuleRoleLine    = "role-line"
	RuleSend        = "send-secrets"
	RuleImage       = "image-data"
	RulePipe        = "run-download"
	RuleEncoded     = "encoded-command"
	RulePermissions = "agent-permissions"
	RuleAccess      = "added-access"
	RuleDestroy     = "destroyed-data"
	RuleChecks      = "disabled-checks"
	RuleDelimiter   = "prompt-delimiter"
	RuleQuoted      = "quoted-instruction"

	RuleSendData  = "send-private-data"
	RuleURLData   = "data-in-url"
	RuleExposed   = "exposed-secrets"
	RuleSource    = "package-source"
	RuleSpread    = "self-copy"
	RuleAuthority = "claimed-authority"
	RuleWeakened  = "weakened-security"

	RuleBreakoutHeading = "breakout-heading"
	RuleBreakoutFence   = "breakout-fence"
	RuleBreakoutEnd     = "breakout-end"
	RuleBreakoutEntry   = "breakout-entry"
	RuleBreakoutLine    = "breakout-line"
	RuleBreakoutTag     = "breakout-tag"
	RuleBreakoutRole    = "breakout-role"

	RuleHidden     = "hidden-text"
	RuleTags       = "tag-characters"
	RuleSelectors  = "variation-data"
	RuleBidi       = "bidi-control"
	RuleEscape     = "terminal-escape"
	RuleOverwrite  = "overwriting"
	RuleLookalike  = "lookalike-word"
	RuleComment    = "hidden-comment"
	RuleSoftHyphen = "soft-hyphen"
	RuleFar        = "far-text"
	RuleColour     = "terminal-colour"
)

// injectionRules returns the rules of Flags and Breakouts.
func injectionRules() []memory.AuditRule {
	hidden := slices.Clone(hiddenRules)
	for i := range hidden {
		hidden[i].Family = memory.FamilyHidden
	}
	return slices.Concat(wordRules, requestRules, commandRules, breakoutRules, hidden)
}

// Descriptions of the kinds of attacks.
const (
	owasp      = "OWASP LLM01:2025 Prompt Injection, https://genai.owasp.org/llmrisk/llm01-prompt-injection/"
	chatForms  = "prompt formats of Llama, https://www.llama.com/docs/model-cards-and-prompt-formats/, and ChatML"
	commonMark = "CommonMark 0.31.2, https://spec.commonmark.org/0.31.2/"
	attack     = "MITRE ATT&CK, https://attack.mitre.org/techniques/"
	unicode39  = "Unicode Technical Standard 39, https://www.unicode.org/reports/tr39/"
	trojan     = "Trojan Source, CVE-2021-42574, https://trojansource.codes/"
	xterm      = "XTerm control sequences, https://invisible-island.net/xterm/ctlseqs/ctlseqs.html"
)

// Advice on what to do next.
const (
	nextDrop    = "read it; if you did not write it, remove it and look where it came from"
	nextCommand = "read what it does before anything runs it; remove it if you did not write it"
	nextBlock   = "edit the text so that it is one plain line, or remove the record"
	nextSeen    = "read what it says decoded; remove the characters, or the record if they were meant to hide something"
)

// injectionRule returns a rule. formerly are the IDs of rules that became part of it.
func injectionRule(id string, s memory.Severity, name, why, next, source string, formerly ...string) memory.AuditRule {
	return memory.AuditRule{
		ID:       id,
		Family:   memory.FamilyInjection,
		Severity: s,
		Name:     name,
		Why:      why,
		Next:     next,
		Source:   source,
		Formerly: formerly,
	}
}

// Wording asks for a look and no more: the same words stand in notes about attacks, in rules that forbid
// them, and in habits of an owner. Such a rule is of medium severity. What is evidence is high: an order in
// a disguise (Flags), text that ends its block in a prompt (Breakouts), a setting in force (Settings).

// wordRules find instructions to a model by their wording.
var wordRules = []memory.AuditRule{
	injectionRule(RuleOverride, memory.Medium, "instruction to drop instructions",
		"It tells the model that reads it to drop the instructions it was given.", nextDrop, owasp),
	injectionRule(
		RuleHide,
		memory.Medium,
		"instruction to keep something from the user",
		"It tells a model to act without the person knowing or agreeing.",
		nextDrop,
		owasp,
		"unasked-action",
		"concealed-action",
	),
	injectionRule(RulePersona, memory.Medium, "new role for a model",
		"It gives the model that reads it another role, which is how limits are talked away.", nextDrop, owasp),
	injectionRule(
		RuleOrder,
		memory.Medium,
		"standing order to a model",
		"It is an order for whoever reads it, and not a note on what happened.",
		nextDrop,
		owasp,
		"delayed-order",
		"disguised-order",
	),
	injectionRule(RuleChatToken, memory.Medium, "token of a chat template",
		"A model can take it for the end of the text and the start of another speaker.", nextDrop, chatForms),
	injectionRule(
		RuleRoleLine,
		memory.Medium,
		"imitated speaker",
		"A line that begins with a speaker's name can pass for a message of the system, the user or the model.",
		nextBlock,
		chatForms,
	),
	injectionRule(
		RuleDelimiter,
		memory.Medium,
		"delimiter of a prompt",
		"It ends, or begins, the part of a prompt that a model does not trust, as an agent writes it or nearly so.",
		nextDrop,
		"KarnEvil9: <<<UNTRUSTED_INPUT>>>; Claude Code: </system-reminder>; Arbiter: [END KNOWN PITFALLS]; Handbook: </memory>",
	),
	injectionRule(RuleQuoted, memory.Low, "quoted instruction",
		"It holds an instruction to a model that seems to be quoted or talked about.", "read it in its context", owasp),
}

// requestRules find requests by concepts that occur together in a sentence.
var requestRules = []memory.AuditRule{
	injectionRule(RuleSendData, memory.Medium, "order to send private data",
		"It asks to send what is not public to an address outside.", nextDrop, attack+"T1567/"),
	injectionRule(RuleURLData, memory.Medium, "data in an address",
		"Opening or showing the address tells its server what was put into it.", nextDrop, owasp),
	injectionRule(RuleExposed, memory.Medium, "order to write secrets down",
		"It asks to keep or show secrets where others read them.", nextDrop, attack+"T1552/"),
	injectionRule(
		RuleSource,
		memory.Medium,
		"foreign source of packages",
		"It takes packages from a server that is not the public registry, or without checking them.",
		nextCommand,
		attack+"T1195/",
	),
	injectionRule(RuleSpread, memory.Medium, "text that asks to be copied",
		"It asks to be put where other agents or later sessions read it.", nextDrop, owasp),
	injectionRule(RuleAuthority, memory.Medium, "claimed permission",
		"It claims that somebody in charge lifted a limit, which only that person can say.", nextDrop, owasp),
	injectionRule(RuleWeakened, memory.Medium, "order to weaken security",
		"It asks to take a protection out of the project or the machine.", nextDrop, attack+"T1562/"),
}

// commandRules find commands that harm whoever runs them.
var commandRules = []memory.AuditRule{
	injectionRule(RuleSend, memory.Medium, "command that sends secrets away",
		"It sends a secret of the machine to somebody else.", nextCommand, attack+"T1567/"),
	injectionRule(RuleImage, memory.Medium, "image that carries data away",
		"Showing the image sends what its address holds to the server.", nextCommand, owasp),
	injectionRule(RulePipe, memory.Medium, "download that is run unread",
		"It runs whatever the server sends at that moment.", nextCommand, attack+"T1105/"),
	injectionRule(RuleEncoded, memory.Medium, "encoded command",
		"It runs a command that nobody can read.", nextCommand, attack+"T1027/010/"),
	injectionRule(RulePermissions, memory.Medium, "agent without permissions to ask for",
		"It makes an agent act without asking a person.", nextCommand, owasp),
	injectionRule(
		RuleAccess,
		memory.Medium,
		"added access",
		"It lets somebody into the machine, or lets a user act as root without a password.",
		nextCommand,
		attack+"T1098/004/",
	),
	injectionRule(RuleDestroy, memory.Medium, "command that destroys data",
		"It deletes or overwrites what it is not easy to get back.", nextCommand, attack+"T1485/"),
	injectionRule(RuleChecks, memory.Medium, "disabled check",
		"It turns off something that protects the machine or the repository.", nextCommand, attack+"T1562/001/"),
}

// breakoutRules are the rules of Breakouts.
var breakoutRules = []memory.AuditRule{
	injectionRule(
		RuleBreakoutHeading,
		memory.High,
		"heading out of its block",
		"Its line break starts a heading in the prompt, which a model takes for a part that the agent wrote.",
		nextBlock,
		commonMark+"#atx-headings",
	),
	injectionRule(
		RuleBreakoutFence,
		memory.Medium,
		"code fence out of its block",
		"Its line break opens or closes a code fence in the prompt, and all that follows reads otherwise.",
		nextBlock,
		commonMark+"#fenced-code-blocks",
	),
	injectionRule(
		RuleBreakoutEnd,
		memory.High,
		"end of its block",
		"It ends the block that it is in: what follows reads as if the agent had written it.",
		nextDrop,
		"the end marks of the blocks, as each system writes them",
	),
	injectionRule(
		RuleBreakoutEntry,
		memory.High,
		"forged entry",
		"Its line break starts what looks like another record, which nobody stored.",
		nextBlock,
		"the entries of the blocks, as each system writes them",
	),
	injectionRule(
		RuleBreakoutLine,
		memory.High,
		"forged separator",
		"A line of it is the mark between two records: it is read as two.",
		nextBlock,
		"Kimchi joins the entries of its block by a line that is only a section sign",
	),
	injectionRule(
		RuleBreakoutTag,
		memory.Medium,
		"closing tag",
		"It closes an element that the prompt may have opened around it.",
		nextBlock,
		"Claude Code and Handbook put memories between tags",
	),
	injectionRule(
		RuleBreakoutRole,
		memory.High,
		"forged speaker",
		"Its line break starts a line with a speaker's name, which can pass for another message.",
		nextBlock,
		chatForms,
	),
}

// hiddenRules find what a person cannot see.
var hiddenRules = []memory.AuditRule{
	injectionRule(
		RuleHidden,
		memory.Medium,
		"characters that cannot be seen",
		"It holds characters that cannot be seen, which a model reads.",
		nextSeen,
		unicode39+"#Identifier_Status_and_Type",
	),
	injectionRule(
		RuleTags,
		memory.Medium,
		"text in tag characters",
		"It says something in characters that no screen shows and a model reads.",
		nextSeen,
		"Unicode 16.0, section 23.9, tag characters",
	),
	injectionRule(
		RuleSelectors,
		memory.Medium,
		"data in variation selectors",
		"It carries bytes in characters that only choose how others look.",
		nextSeen,
		"https://paulbutler.org/2025/smuggling-arbitrary-data-through-an-emoji/",
	),
	injectionRule(RuleBidi, memory.Medium, "reordered text",
		"It is shown in another order than it is read.", nextSeen, trojan),
	injectionRule(RuleEscape, memory.Medium, "terminal escape",
		"A terminal that it is printed on obeys it.", nextSeen, xterm),
	injectionRule(RuleOverwrite, memory.Medium, "overwritten text",
		"On a terminal, what follows covers what is before it, so only a part is visible.", nextSeen, xterm),
	injectionRule(
		RuleLookalike,
		memory.Medium,
		"word of mixed alphabets",
		"Some of its letters only look like those of the word: a search or a filter does not find it.",
		nextSeen,
		unicode39+"#Mixed_Script_Detection",
	),
	injectionRule(RuleComment, memory.Medium, "instruction in a comment",
		"It is an instruction where a reader of the rendered page sees nothing.", nextDrop, commonMark+"#html-comment"),
	injectionRule(RuleSoftHyphen, memory.Low, "soft hyphen",
		"It is seen only at the end of a line, and splits the word for a search.", nextSeen, unicode39),
	injectionRule(RuleColour, memory.Low, "terminal colour",
		"It colours or underlines text on a terminal, and splits words for a search.", nextSeen, xterm),
	injectionRule(RuleFar, memory.Low, "text far away",
		"There is so much white space before it that an editor shows it off the screen.", nextSeen, trojan),
}
