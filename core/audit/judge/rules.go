package judge

import (
	"slices"

	"winnow/core/detect"
	"winnow/core/memory"
)

// IDs of the rules of this package. They must stay stable because baselines and people refer to
// them.
const (
	RuleOver      = "over-redaction"
	RuleElsewhere = "redacted-elsewhere"
	RuleReadable  = "file-readable"
	RuleWritable  = "file-writable"
	RuleTracked   = "file-tracked"
	RuleUnignored = "file-not-ignored"
	RuleStale     = "stale-file"
	RuleDamaged   = "damaged-line"
	RuleLong      = "line-too-long"
	RuleBeyond    = "over-the-cap"
	RuleKnown     = detect.RuleKnown
)

// Rules returns every rule of the audit, grouped by family.
func Rules() []memory.AuditRule {
	rules := detect.Rules()
	rules = append(rules, redactionRules()...)
	rules = append(rules, fileRules()...)
	rules = append(rules, startedRules()...)
	slices.SortStableFunc(rules, func(a, b memory.AuditRule) int { return a.Family.Compare(b.Family) })
	return rules
}

// redactionRules are the rules on copies of secrets, and on what a redaction left behind or took
// away.
func redactionRules() []memory.AuditRule {
	return []memory.AuditRule{
		{
			ID: RuleKnown, Family: memory.FamilySecret, Severity: memory.High, Name: "copy of a secret",
			Why:    "The same text is a secret elsewhere in what was looked at.",
			Next:   "revoke it where it was made",
			Source: "the other findings of the same audit",
		},
		{
			ID: RuleOver, Family: memory.FamilyRedaction, Severity: memory.Low, Name: "eaten word",
			Why:    "The redaction took a part of an ordinary word, such as the end of task-force, for a key.",
			Next:   "edit the text, so that it says again what it said",
			Source: `KarnEvil9, packages/memory/src/memory.ts: sk-\S+ without a word boundary`,
		},
		{
			ID:       RuleElsewhere,
			Family:   memory.FamilyRedaction,
			Severity: memory.Medium,
			Name:     "redacted here, not in the journal",
			Why:      "What was replaced by [REDACTED] here is still in the journal beside it.",
			Next:     "revoke what was redacted, and share the store without its journal",
			Source:   "KarnEvil9, packages/journal: events keep the text of a task and the errors of steps",
		},
	}
}

// fileRules are the rules on the file itself.
func fileRules() []memory.AuditRule {
	rule := func(id string, s memory.Severity, name, why, next, source string) memory.AuditRule {
		return memory.AuditRule{
			ID:       id,
			Family:   memory.FamilyFile,
			Severity: s,
			Name:     name,
			Why:      why,
			Next:     next,
			Source:   source,
		}
	}
	const modes = "POSIX.1-2024, file permission bits"
	const load = "the way in which the system loads a store"
	return []memory.AuditRule{
		rule(RuleReadable, memory.Low, "file that others can read",
			"Every user of the machine can read what the agent remembers.", "chmod 600 the file", modes),
		rule(
			RuleWritable,
			memory.Medium,
			"file that others can write",
			"Other users of the machine can put memories into it, which the agent then believes.",
			"chmod 600 the file",
			modes,
		),
		rule(RuleTracked, memory.Low, "memories tracked by git",
			"Whoever gets the repository gets these memories, and those of every earlier version.",
			"if that is not meant, take it out of the index and name it in .gitignore", "gitignore(5)"),
		rule(RuleUnignored, memory.Low, "memories that git does not ignore",
			"The next git add of everything shares these memories.", "name it in .gitignore", "gitignore(5)"),
		rule(
			RuleStale,
			memory.Low,
			"left-over file",
			"A save that was cut off or a process that died left it: it can hold what was deleted or redacted since.",
			"when no agent runs, look at it and delete it",
			"the names that the systems give to temporary files and locks",
		),
		rule(RuleDamaged, memory.Low, "line that the agent will lose",
			"It cannot be decoded: the agent skips it, and its next save drops it.",
			"mend what is worth keeping: winnow edit ID --raw; drop the rest: winnow repair", load),
		rule(
			RuleLong,
			memory.Low,
			"very long line",
			"It is longer than 1 MiB: what is found in it has no record and no field.",
			"look at it with another program",
			"the limit of Winnow's own reader",
		),
		rule(RuleBeyond, memory.Low, "more records than an agent loads",
			"The records after the limit are the newest: the agent does not read them, and its next save drops them.",
			"make room for the ones worth keeping: winnow prune --unused", load),
	}
}
