package detect

// relations are the concepts that make a sentence suspicious together.
var relations = []relation{
	{rule: RuleSend, needs: "send key place", within: 20, unless: "auth safe", options: allowShellQuotes | allowPassive, keywordsOf: "key"},
	{rule: RuleSendData, needs: "ship private place", within: 18, options: allowShellQuotes | allowPassive, keywordsOf: "private"},
	{rule: RuleURLData, needs: "send data url place", within: 14, unless: "auth", keywordsOf: "place"},
	{rule: RuleURLData, needs: "fill data place", within: 12, unless: "auth safe", options: allowStatement, keywordsOf: "fill"},
	{rule: RuleURLData, needs: "fill key place", within: 12, unless: "auth safe", options: allowStatement, keywordsOf: "fill key"},
	{rule: RuleExposed, needs: "note this:2 book:8 key:14", within: 14, unless: "safe", keywordsOf: "key"},
	{rule: RuleExposed, needs: "note key:6 book", within: 12, unless: "safe", options: orderedConcepts, keywordsOf: "key"},

	{rule: RuleSource, needs: "install source place", within: 14, keywordsOf: "source", options: allowShellQuotes},
	{rule: RuleSource, needs: "install source nosum", within: 14, keywordsOf: "nosum", options: allowShellQuotes},
	{rule: RuleSource, needs: "lift nosum", within: 5, keywordsOf: "nosum"},
	{rule: RulePipe, needs: "install place run", within: 16, options: allowShellQuotes | orderedConcepts, keywordsOf: "place"},

	{rule: RulePermissions, needs: "widen guard open", within: 9, options: allowShellQuotes, keywordsOf: "guard open"},
	{rule: RulePermissions, needs: "widen fence open", within: 9, options: allowShellQuotes, keywordsOf: "fence"},
	{rule: RulePermissions, needs: "lift fence", within: 4, options: allowShellQuotes, keywordsOf: "fence"},
	{rule: RulePermissions, needs: "widen mcp unasked", within: 20, options: allowShellQuotes, keywordsOf: "unasked"},
	{rule: RuleUnasked, needs: "act unasked", within: 14, keywordsOf: "unasked"},

	{rule: RuleConcealed, needs: "hush this:3 who", within: 8, keywordsOf: "tell who", options: allowNegated | orderedConcepts},
	{rule: RuleConcealed, needs: "hush who:3 this:8", within: 8, keywordsOf: "tell who", options: allowNegated | orderedConcepts},
	{rule: RuleConcealed, needs: "hush this:3 artifact", within: 9, keywordsOf: "tell artifact", options: allowNegated},
	{rule: RuleConcealed, needs: "hide this:3 artifact", within: 9, options: allowPassive, keywordsOf: "hide"},
	{rule: RuleConcealed, needs: "hide this:3 who", within: 9, keywordsOf: "hide"},
	{rule: RuleConcealed, needs: "claim lie", within: 9, options: allowPassive, keywordsOf: "lie"},
	{rule: RuleConcealed, needs: "wipe trace", within: 3, keywordsOf: "trace"},
	{rule: RuleConcealed, needs: "wipe this:3 trace", within: 8, keywordsOf: "trace"},
	{rule: RuleConcealed, needs: "hush self", within: 5, keywordsOf: "self", options: allowNegated},
	{rule: RuleConcealed, needs: "unseen", options: allowStatement, keywordsOf: "unseen"},

	{rule: RuleDelayed, needs: "harm cue", within: 20, keywordsOf: "cue"},
	{rule: RuleDelayed, needs: "destroy asset:6 cue", within: 16, unless: "spare", keywordsOf: "cue"},
	{rule: RuleDelayed, needs: "strike says", within: 20, keywordsOf: "says"},
	{rule: RuleDelayed, needs: "destroy asset:5 when", within: 16, unless: "spare", keywordsOf: "destroy"},

	{rule: RuleSpread, needs: "copy self spread", within: 16, keywordsOf: "self"},
	{rule: RuleSpread, needs: "copy self spread", within: 8, options: allowStatement, keywordsOf: "self"},
	{rule: RuleSpread, needs: "copy lost self", within: 20, options: allowStatement, keywordsOf: "self"},

	{rule: RuleAuthority, needs: "granted role", within: 14, options: allowStatement, keywordsOf: "granted"},

	{rule: RuleWeakened, needs: "weaken protect", within: 6, unless: "spare", keywordsOf: "protect"},
	{rule: RuleWeakened, needs: "makes weak matters", within: 9, unless: "spare", options: allowPassive, keywordsOf: "weak"},

	{rule: RuleOrder, needs: "install orders place obey", within: 14, keywordsOf: "orders obey"},

	{rule: RuleDisguised, needs: "decode obey", within: 8, options: allowStatement, keywordsOf: "decode"},

	{rule: RuleOverride, needs: "drop orders prior", within: 14, keywordsOf: "orders"},
	{rule: RuleOverride, needs: "drop human", within: 5, keywordsOf: "human", options: orderedConcepts},
	{rule: RuleHide, needs: "hush human", within: 6, keywordsOf: "human", options: allowNegated},
}
