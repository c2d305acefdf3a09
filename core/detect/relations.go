package detect

// relations are the concepts that make a sentence suspicious together.
var relations = []relation{
	{rule: RuleSend, needs: "send key place", within: 20, not: "auth safe", how: shell | passive, near: "key"},
	{rule: RuleSendData, needs: "ship private place", within: 18, how: shell | passive, near: "private"},
	{rule: RuleURLData, needs: "send data url place", within: 14, not: "auth", near: "place"},
	{rule: RuleURLData, needs: "fill data place", within: 12, not: "auth safe", how: statement, near: "fill"},
	{rule: RuleURLData, needs: "fill key place", within: 12, not: "auth safe", how: statement, near: "fill key"},
	{rule: RuleExposed, needs: "note this:2 book:8 key:14", within: 14, not: "safe", near: "key"},
	{rule: RuleExposed, needs: "note key:6 book", within: 12, not: "safe", how: inTurn, near: "key"},

	{rule: RuleSource, needs: "install source place", within: 14, near: "source", how: shell},
	{rule: RuleSource, needs: "install source nosum", within: 14, near: "nosum", how: shell},
	{rule: RuleSource, needs: "lift nosum", within: 5, near: "nosum"},
	{rule: RulePipe, needs: "install place run", within: 16, how: shell | inTurn, near: "place"},

	{rule: RulePermissions, needs: "widen guard open", within: 9, how: shell, near: "guard open"},
	{rule: RulePermissions, needs: "widen fence open", within: 9, how: shell, near: "fence"},
	{rule: RulePermissions, needs: "lift fence", within: 4, how: shell, near: "fence"},
	{rule: RulePermissions, needs: "widen mcp unasked", within: 20, how: shell, near: "unasked"},
	{rule: RuleUnasked, needs: "act unasked", within: 14, near: "unasked"},

	{rule: RuleConcealed, needs: "hush this:3 who", within: 8, near: "tell who", how: refused | inTurn},
	{rule: RuleConcealed, needs: "hush who:3 this:8", within: 8, near: "tell who", how: refused | inTurn},
	{rule: RuleConcealed, needs: "hush this:3 artifact", within: 9, near: "tell artifact", how: refused},
	{rule: RuleConcealed, needs: "hide this:3 artifact", within: 9, how: passive, near: "hide"},
	{rule: RuleConcealed, needs: "hide this:3 who", within: 9, near: "hide"},
	{rule: RuleConcealed, needs: "claim lie", within: 9, how: passive, near: "lie"},
	{rule: RuleConcealed, needs: "wipe trace", within: 3, near: "trace"},
	{rule: RuleConcealed, needs: "wipe this:3 trace", within: 8, near: "trace"},
	{rule: RuleConcealed, needs: "hush self", within: 5, near: "self", how: refused},
	{rule: RuleConcealed, needs: "unseen", how: statement, near: "unseen"},

	{rule: RuleDelayed, needs: "harm cue", within: 20, near: "cue"},
	{rule: RuleDelayed, needs: "destroy asset:6 cue", within: 16, not: "spare", near: "cue"},
	{rule: RuleDelayed, needs: "strike says", within: 20, near: "says"},
	{rule: RuleDelayed, needs: "destroy asset:5 when", within: 16, not: "spare", near: "destroy"},

	{rule: RuleSpread, needs: "copy self spread", within: 16, near: "self"},
	{rule: RuleSpread, needs: "copy self spread", within: 8, how: statement, near: "self"},
	{rule: RuleSpread, needs: "copy lost self", within: 20, how: statement, near: "self"},

	{rule: RuleAuthority, needs: "granted role", within: 14, how: statement, near: "granted"},

	{rule: RuleWeakened, needs: "weaken protect", within: 6, not: "spare", near: "protect"},
	{rule: RuleWeakened, needs: "makes weak matters", within: 9, not: "spare", how: passive, near: "weak"},

	{rule: RuleOrder, needs: "install orders place obey", within: 14, near: "orders obey"},

	{rule: RuleDisguised, needs: "decode obey", within: 8, how: statement, near: "decode"},

	{rule: RuleOverride, needs: "drop orders prior", within: 14, near: "orders"},
	{rule: RuleOverride, needs: "drop human", within: 5, near: "human", how: inTurn},
	{rule: RuleHide, needs: "hush human", within: 6, near: "human", how: refused},
}
