package detect

// relations are the concepts that make a sentence suspicious together.
var relations = []relation{
	{rule: RuleSend, needs: "send key place", within: 20, not: "auth safe", how: shell},
	{rule: RuleSendData, needs: "ship private place", within: 18, how: shell},
	{rule: RuleURLData, needs: "send data url link", within: 14, near: "send url", not: "auth"},
	{rule: RuleExposed, needs: "note key:6 book", within: 12, near: "key book", not: "safe", how: inTurn},

	{rule: RuleSource, needs: "install source place", within: 14, near: "source", how: shell},
	{rule: RuleSource, needs: "install source nosum", within: 14, near: "nosum", how: shell},
	{rule: RuleSource, needs: "lift nosum", within: 5},
	{rule: RulePipe, needs: "install place run", within: 16, near: "install run", how: shell | inTurn},

	{rule: RulePermissions, needs: "widen guard open", within: 9, how: shell, near: "guard open"},
	{rule: RulePermissions, needs: "widen fence open", within: 9, how: shell, near: "fence open"},
	{rule: RulePermissions, needs: "lift fence", within: 4, how: shell, near: "fence"},
	{rule: RulePermissions, needs: "widen mcp unasked", within: 20, how: shell, near: "mcp"},
	{rule: RuleUnasked, needs: "act unasked", within: 10},

	{rule: RuleConcealed, needs: "hush this:3 who", within: 8, near: "tell who", how: refused | inTurn},
	{rule: RuleConcealed, needs: "hush who:3 this:8", within: 8, near: "tell who", how: refused | inTurn},
	{rule: RuleConcealed, needs: "hush this:3 artifact", within: 9, near: "tell artifact", how: refused},
	{rule: RuleConcealed, needs: "hide this:3 artifact", within: 9},
	{rule: RuleConcealed, needs: "hide this:3 who", within: 9},
	{rule: RuleConcealed, needs: "claim lie", within: 9},
	{rule: RuleConcealed, needs: "wipe trace", within: 4},
	{rule: RuleConcealed, needs: "ship quiet", within: 4},

	{rule: RuleDelayed, needs: "harm cue", within: 20},
	{rule: RuleDelayed, needs: "strike says", within: 20},
	{rule: RuleDelayed, needs: "destroy asset:5 when", within: 16, near: "destroy asset", not: "spare"},

	{rule: RuleSpread, needs: "copy self spread", within: 16, near: "self spread"},
	{rule: RuleSpread, needs: "copy lost self", within: 20, near: "lost self", how: told},

	{rule: RuleAuthority, needs: "granted role", within: 14, how: told, near: "granted"},

	{rule: RuleWeakened, needs: "weaken protect", within: 6, not: "spare"},
	{rule: RuleWeakened, needs: "makes weak matters", within: 9, near: "weak matters", not: "spare"},

	{rule: RuleDisguised, needs: "decode obey", within: 8, how: told},

	{rule: RuleOverride, needs: "drop orders prior", within: 14, near: "orders"},
	{rule: RuleOverride, needs: "drop human", within: 5, near: "human", how: inTurn},
	{rule: RuleHide, needs: "hush human", within: 6, near: "human", how: refused},
}
