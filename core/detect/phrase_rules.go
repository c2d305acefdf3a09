package detect

import "strings"

// wordSets are the named sets of words that patterns refer to.
var wordSets = map[string]string{
	"drop":   "ignore/disregard/forget/override/overrule/bypass/neglect/discard/abandon/dismiss/nullify",
	"fill":   "all/any/of/the/my/your/our/these/those/every/each/other/that/and/or/to/from/and/out/completely/entirely",
	"scope":  "previous/previously/prior/above/preceding/earlier/foregoing/former/past/existing/original/initial/system/safety/developer/current",
	"before": "previous/previously/prior/above/preceding/earlier/foregoing/former",
	"told":   "instruction/instructions/prompt/prompts/directive/directives/guideline/guidelines/guidance/direction/directions",
	"bound":  "rule/rules/command/commands/constraint/constraints/restriction/restrictions/order/orders/message/messages/context/policy/policies/conversation/training/programming/safeguards/guardrails",
	"yours":  "rules/training/programming/restrictions/constraints/safeguards/guardrails/policies/limitations/ethics",
	"who":    "user/users/human/humans/operator/owner/developer/person/reviewer/maintainer/anyone/anybody/them/customer/administrator",
	"model":  "ai/assistant/assistants/agent/agents/llm/llms/model/models/gpt/chatgpt/claude/copilot/chatbot/bot/gemini/codex",
	"as":     "ai/assistant/agent/llm/model/gpt/chatbot/bot/dan/hacker/admin/administrator/root/superuser/unrestricted/unfiltered/uncensored/jailbroken/evil/malicious/terminal/shell/persona/character/pirate/different/attacker",
	"free":   "restriction/restrictions/limit/limits/limitation/limitations/rule/rules/filter/filters/guardrails/guidelines/constraints",
	"ask":    "asking/telling/informing/notifying/requesting/confirming/prompting/consulting/alerting/mentioning",
	"leave":  "permission/confirmation/approval/consent/authorization/authorisation/knowledge",
	"run":    "run/execute/delete/send/push/commit/install/always/proceed/do/approve/continue/use/apply/make/upload/call/merge/remove/disable/accept/change/modify/download/fetch/read/edit/write/perform/act/go",
	"risky":  "run/delete/send/push/commit/install/upload/merge/remove/disable/download",
	"note":   "instruction/instructions/text/note/line/lines/rule/rules/message/paragraph/memory/prompt/entry/sentence/phrase/comment/link",
	"secret": "env/credential/credentials/secret/secrets/password/passwords/ssh/id_rsa/id_ed25519/keys/tokens/cookies/environment/apikey/api",
	"guard":  "sandbox/sandboxing/permission/permissions/confirmation/confirmations/approval/approvals/safety/guardrail/guardrails/safeguard/safeguards/antivirus/firewall/selinux/defender/auditing",
}

// phraseRow is a pattern of a rule and the keywords that lead to it, separated by slashes, where _
// is a space. Without keywords, the words of the element after ! are used; they must have at least
// minKeywordLen letters.
type phraseRow struct{ rule, keywords, pattern string }

// phraseRows are the English phrases that override instructions, hide something from the user or
// assign a role.
var phraseRows = []phraseRow{
	{RuleOverride, "", "!$drop *$fill $scope *$fill ?$scope ?$fill $told"},
	{RuleOverride, "", "!ignore/disregard/forget/override *$fill $before *$fill $bound"},
	{RuleOverride, "", "!ignore/disregard/forget/override/bypass/abandon *all/any/of your _1 $told"},
	{RuleOverride, "", "!ignore/disregard/forget/override/bypass/abandon *all/any/of your _1 $yours"},
	{RuleOverride, "", "!ignore/disregard/forget all/any/every ?of ?the ?other $told |"},
	{RuleOverride, "", "!ignore/disregard/forget ?all ?of ?the/any $told ?that ?you above/before/earlier/previously/given/received/were/have/had"},
	{RuleOverride, "", "!ignore/disregard/forget/discard everything/anything/all/what/whatever ?that ?has ?was ?is ?came ?said ?written above/before/earlier/previously/prior |"},
	{RuleOverride, "", "!ignore/disregard/forget everything/anything/all/what/whatever ?that ?you/i ?were/was/have/had/ve ?been told/said/know/learned/learnt/instructed"},
	{RuleOverride, "instruct/prompt/directive", "new/updated/revised/real/actual/true ?system !instructions/prompt/directives/directive are/is/follow/follows/below/override"},
	{RuleOverride, "instruct/prompt/directive", "new/updated/revised/real/actual/true ?system !instructions/prompt/directives :"},
	{RuleOverride, "prompt/instruct", "system !prompt/instructions override/overwrite/update/replaced"},
	{RuleOverride, "", "!override/overwrite/replace/bypass/disable *$fill system/safety prompt/prompts/instructions/filter/filters/guidelines/rules"},
	{RuleOverride, "follow/obeying/obey_", "not/never/don't/stop !follow/following/obey/obeying *$fill $scope *$fill $told"},
	{RuleOverride, "", "instead of !following/obeying *$fill $told"},
	{RuleOverride, "follow/obey_", "not/never/don't/stop !follow/following/obey _4 in/of/from your/the system prompt/message"},
	{RuleOverride, "", "!ignore/disregard/forget/override what/whatever ?the/your ?user/human/operator/developer asked/said/says/wants/wanted/requested/tells/told"},
	{RuleOverride, "", "!ignore/disregard/override the/your user's/human's/operator's/developer's _1 request/requests/wishes/instructions/intent/question/goal/commands"},
	{RuleOverride, "", "^ !everything ?written ?said above/before ?this ?line ?point is/was void/invalid/obsolete/fake/wrong/false/cancelled/canceled/superseded"},
	{RuleOverride, "", "^ set/put !aside *$fill ?$scope *$fill $told"},
	{RuleOverride, "follow/obeying/obey_", "not/never/don't/stop !follow/following/obey/obeying *all/any/of your $told/$yours"},
	{RuleOverride, "", "$before !rules/instructions/guidelines/orders/restrictions/policies/directives are/is/were ?now ?all void/invalid/obsolete/null/cancelled/canceled/lifted/revoked/suspended/withdrawn"},
	{RuleOverride, "", "!overrides/override/supersedes/supersede/replaces all/any/every/your *$fill ?$scope *$fill $told"},
	{RuleOverride, "", "takes/has/take/have !precedence/priority over *$fill $scope ?and ?$scope $told"},
	{RuleOverride, "", "your ?$scope !instructions/guidelines/restrictions ?no ?longer apply/void/suspended/obsolete/invalid/cancelled/canceled"},
	{RuleOverride, "", "your ?$scope !instructions/guidelines/restrictions are/were ?now ?no ?longer void/suspended/obsolete/invalid/cancelled/canceled/lifted/revoked/replaced/valid/binding"},

	{RuleHide, "_user/\nuser/human/operator/_owner/e_developer/reviewer/maintain/anyone/anybody", "not/never/don't/avoid/without/dont tell/inform/telling/informing ?the/your/a/any !$who about/that/of/what/why/you/anything"},
	{RuleHide, "_user/\nuser/human/operator/_owner/e_developer/reviewer/anyone/anybody", "not/never/don't/dont tell/inform/notify/alert/warn/ask ?the/your/a/any !$who |"},
	{RuleHide, "_user/\nuser/human/operator/_owner/e_developer/anyone/anybody", "not/never/don't/dont mention/reveal/disclose/show/report/discuss/explain/admit/expose/display this/it/that/these/anything/any/your ?of ?this/these/that _2 to ?the/your/a/any !$who"},
	{RuleHide, "", "not/never/don't/dont !mention/reveal/disclose this/these/that ?note/instruction/instructions/message/step/memory/action/command/rule |"},
	{RuleHide, "", "not/never/don't/dont !reveal/disclose/mention this/these/your _1 instruction/instructions/note/memory/prompt/message ?when/if/to/even/under"},
	{RuleHide, "", "^ !leave no trace/traces/record/evidence/mention"},
	{RuleHide, "", "^ !leave this/it/that out of ?the/your/any summary/report/log/logs/answer/response/reply/message"},
	{RuleHide, "", "^ !cover your tracks"},
	{RuleHide, "", "^ keep !quiet/silent about"},
	{RuleHide, "mention/report/disclose/inform/need_to_tell", "no need to !mention/report/disclose/tell/inform _4 $who"},
	{RuleHide, "include/report/summar/omit_/mention", "not/never/don't/dont !include/report/mention/log/summarise/summarize/note this/it/that/these _2 in ?the/your/any summary/report/log/logs/answer/response/reply/output/changelog"},
	{RuleHide, "", "^ !without $ask ?the/your/any/a $who $run/add/create/open/close/rename/set/start/stop"},
	{RuleHide, "_user/\nuser/human/operator/_owner/e_developer/anyone/anybody", "not/never/don't/dont let ?the/your/any !$who know/see/notice/find"},
	{RuleHide, "_user/\nuser/human/operator/_owner/e_developer/anyone/anybody", "^ keep/hide/conceal this/it/that/these _4 from ?the/your/any !$who"},
	{RuleHide, "", "^ keep this/it/these/that a ?complete !secret"},
	{RuleHide, "_user/\nuser/human/operator/anyone/anybody", "$risky _8 without $ask ?the/your/any/a !$who"},
	{RuleHide, "permission/confirm/approv/consent/authori/knowledge", "^ $risky _8 without ?$ask ?the/your ?for ?any/user/user's/human/human's/their ?user/explicit !$leave"},
	{RuleHide, "_user/\nuser/human/operator", "not/never/don't/dont ask ?the/your/a !user/human/operator for/before ?any ?explicit $leave/confirmation/doing/running/proceeding"},
	{RuleHide, "not_ask/never_ask/n't_ask/out_ask", "^ !not/never/don't ask for permission/confirmation/approval |"},

	{RulePersona, "re_now/re  now/re\nnow", "you !are now a/an/the/my/acting/operating/called/named _3 $as"},
	{RulePersona, "re_now/re  now", "!you're now a/an/the/my/acting/operating/called/named _3 $as"},
	{RulePersona, "re_now/re  now/re\nnow", "you !are now unrestricted/unfiltered/uncensored/jailbroken/dan/free/root ?to ?from ?of |"},
	{RulePersona, "re_now/re  now/re\nnow", "you !are now no longer bound/restricted/limited/subject/an/a"},
	{RulePersona, "re_now/re  now/re\nnow", "you !are now in ?the developer/dan/god/jailbreak/jailbroken/unrestricted/debug/maintenance/admin/root/training mode"},
	{RulePersona, "act_as/act  as/act\nas/behave/respond_as/respond_like/answer_as/speak_as", "^ !act/behave/respond/answer/speak as/like ?if/though ?a/an/the/my/your _3 $as"},
	{RulePersona, "act_as/behave", "^ !act/behave as if/though you have/had/are/were/don't/do _3 $free/human/unrestricted/allowed/root/admin"},
	{RulePersona, "", "you are no !longer bound/restricted/limited/subject/constrained"},
	{RulePersona, "", "you are no !longer a/an/the/my _3 $as"},
	{RulePersona, "", "^ !pretend/imagine ?that ?to you/be _4 $as/$free/allowed"},
	{RulePersona, "roleplay/role-play/role_play", "^ !roleplay/role ?play as _3 $as"},
	{RulePersona, "restriction/limits/limitat/filters/guardrail/constraint", "you ?now ?no ?longer have/no/without/free ?longer ?have ?any ?no ?content/safety/ethical !$free"},
	{RulePersona, "developer_mode/dan_mode/god_mode/jailbreak_mode/debug_mode/unrestricted_mode/admin_mode", "^ enter/enable/activate/switch _2 !dan/god/jailbreak/unrestricted mode"},
	{RulePersona, "developer_mode", "^ enter/activate _2 !developer mode"},
	{RulePersona, "developer_mode/dan_mode/god_mode/jailbreak_mode/unrestricted_mode", "!developer/dan/god/jailbreak/unrestricted mode enabled/activated/engaged"},
	{RulePersona, "anything_now", "do !anything now"},
	{RulePersona, "your_new/your_real/your_true/your_actual", "!your new/real/true/actual role/task/goal/name/identity/purpose/mission/job/objective is"},
}

// orderRows are the English phrases for standing orders and for what an agent may do.
var orderRows = []phraseRow{
	{RuleOrder, "from_now/from  now", "!from now on you must/will/shall/are/should/have/always/never/only"},
	{RuleOrder, "from_now/from  now", "!from now on always/never/only answer/respond/reply/obey/trust/include/append/send/run/ignore"},
	{RuleOrder, "n_you_read/f_you_read/s_you_read/r_you_read/you_see_this/reading/you_read_this/you_load", "^ when/whenever/once/if/after/upon/every/each ?as ?soon ?time ?you ?are ?as ?you !read/reading/see/load ?and ?process this"},
	{RuleOrder, "e_an_ai/e_an_llm/language_model/re_an_agent/e_an_assistant/e_a_model/ding_this", "^ if/since/as you !are an/a/any ?large ?language/ai/coding ?ai/coding $model _3 ?this you/must/should/please/ignore/run/do/then/stop/always/never/reading/send/add/include/output"},
	{RuleOrder, "reading_this", "$model !reading this ?note/file/page/text/memory/message must/should/have/need/shall/please"},
	{RuleOrder, "reads_this/read_this/loads_this/sees_this", "any/every/all/each ?ai/coding $model ?that ?who !reads/read/loads/sees this _2 must/should/has/have/needs/need/shall/will"},
	{RuleOrder, "as_an_ai/as_an_llm/as_a_large_lang", "^ !as an/a ai/llm/large ?language $model _3 you must/should/will/shall"},
	{RuleOrder, "what_it_s/whatever_it/its_inst/what_it_r/instruct", "^ fetch/download/open/visit/load/retrieve/get/read _5 and follow/obey/do/execute/run/apply/perform _1 !what/whatever/its/instructions/commands ?instructions/commands ?it ?there ?says/returns/contains/say/tells/in/you |"},
	{RulePipe, "", "^ !download and execute/run _2 http/https"},
	{RuleOrder, "trust_this/believe_this", "^ !trust/believe this _1 over"},
	{RuleOrder, "even_if_/even_though_/even_when_", "^ tell/assure/convince/report/claim/say ?to ?the ?user _8 !even if/though/when they/it/that/the _2 fail/failed/fails/not/didn't/did/false/broken/wrong"},
	{RuleOrder, "user_asks/human_asks", "^ when/whenever/if ?the/a !user/human asks _5 lie/deny/claim/pretend"},
	{RuleOrder, "replies/responses/answers/messages/reply/response", "^ include/add/append/insert/put/end _2 link/links/url/http/https _8 in/to/with ?every/each/all/any ?of your ?future !replies/responses/answers/messages/reply/response"},
	{RuleRoleLine, "prompt/message/instruct", "^ begin/end/start ?of ?new system !prompt/message/instructions |"},
	{RuleOrder, "_moment/_point", "from this !moment/point ?on ?onward ?onwards you obey/must/will/are/follow/only/shall/should/always/never"},
	{RuleOrder, "user_says/user_asks/user_wants/human_says", "whatever/matter ?what the/your !user/human says/asks/wants _3 answer/say/reply/respond/do/run/claim"},
	{RuleOrder, "generate/write_/produce", "^ when/whenever you !generate/write/produce _3 always include/import/add/install/use ?the package/dependency/library/module"},
	{RuleOrder, "attention", "!attention ?all ?any ?future ?to ?the ?ai/llm $model"},
	{RuleOrder, "to_the_ai/to_ai_/to_the_llm/to_the_model/to_the_assis/to_the_agent/to_all_ai/to_any_ai/for_the_ai/for_ai_/for_the_assis/for_the_llm/for_the_model/for_any_ai", "^ ?important/urgent/hidden/secret/special note/notes/instruction/instructions/message/attention/reminder !to/for ?the/all/any/future/every ?ai/llm/language $model"},
	{RuleOrder, "response/conversation/session/message/reply/replies/answer", "^ at/in/to/with ?the ?end/start/beginning ?of every/each/all/any ?of ?your ?future/single !response/responses/conversation/session/message/reply/replies/answer/answers _3 run/execute/send/post/upload/fetch/download/append/include/insert/add/end/call/output/load"},
	{RuleOrder, "", "^ run/execute/send/post/upload/fetch/download/append/include/insert/add/call/output _8 every/each/all/any ?of ?your ?future/single !response/responses/conversation/message/reply/replies/answer/answers"},
	{RuleOrder, "y_this/this_ins/this_note/these_ins/this_rule/this_mes/this_text/this_mem/this_par/this_line/this_prompt/this_sent/this_phra/this_comm/this_link", "^ copy/add/append/write/save/store/include/repeat/paste/insert/replicate/propagate/remember !this/these/y ?exact/whole/entire $note to/in/into/across _2 memory/memories/every/all/other/each/readme/claude/agents"},
	{RuleOrder, "ou_must_a/ou_must_o/ou_must_c/ou_must_i/ou_must_t", "you !must ?always ?immediately obey/trust/approve/comply ?with this/these/my/me/all/everything"},
	{RuleOrder, "", "^ !always obey/trust/approve/comply/believe/accept _2 this/these/all/any/every/commands/requests/instructions"},
	{RuleOrder, "print/reveal/output/repeat/display/recite/disclose/show_", "^ !print/reveal/show/output/repeat/display/recite/disclose ?me ?us ?all ?of ?the ?full/entire/exact/whole your ?full/entire/exact/whole ?system/initial/hidden/secret/original prompt/instructions"},
	{RuleOrder, "print/reveal/output/repeat/display/recite/disclose/leak_", "^ !print/reveal/output/repeat/display/recite/disclose/leak ?the ?full/entire system prompt ?verbatim |"},
	{RuleOrder, "silently/quietly/secretly", "^ !silently/quietly/secretly run/send/execute/upload/install/exfiltrate/forward/copy/post/download/add/delete/push/commit/read/collect/approve/change"},
	{RuleOrder, "", "!always run _4 curl/wget/sudo/base64/eval/iex/powershell/http/https/npx/nc"},

	{RuleSend, "to_http/_at_http/url_http/er_http/int_http/pastebin/to_attacker/the_attacker", "^ send/post/paste/leak/copy/upload/transmit/forward/exfiltrate/email/submit _6 $secret _8 to _3 !http/https/webhook/attacker/pastebin"},

	{RuleSend, "leak_all/leak_the/leak_every", "^ !leak _5 $secret"},
	{RuleSend, "", "always/then/now/please/must/should/silently !exfiltrate _5 $secret"},
	{RuleChecks, "", "^ !disable/bypass/deactivate *$fill ssl/tls/https/certificate/certificates/signature/host/key _1 verification/validation/checks/check/checking/pinning"},
	{RuleChecks, "turn_off/switch_off/skip_", "^ !turn/switch/skip ?off *$fill ssl/tls/https/certificate/signature/host/key _1 verification/validation/checks/check/checking/pinning"},

	{RulePermissions, "approved/authoriz/authoris", "user/operator/admin/owner has already !approved/authorized/authorised ?of all/every/this/these/any/everything"},
	{RulePermissions, "yes_to_all/yes_to_every/yes_to_any", "^ answer/say/reply/respond !yes to all/every/any _2 prompt/prompts/question/questions/permission/permissions/confirmation/confirmations/request/requests"},
	{RulePermissions, "skip_/bypass", "^ !skip/bypass ?the/any/all ?human ?code ?user approval/review/confirmation/permission step/steps/prompt/prompts/check/gate/dialog"},
	{RulePermissions, "", "^ !approve/allow/accept/grant/enable all/every/any _1 tool/tools/permission/permissions/commands/requests ?without ?call/calls ?asking |"},
	{RulePermissions, "allow_all/approve_all/accept_all", "!allow/approve/accept all tool/tools/permissions |"},
	{RulePermissions, "", "^ !disable/bypass/deactivate/remove *$fill $guard ?prompts/checks/mode/requests/system/rules |"},
	{RulePermissions, "turn_off/switch_off/skip_", "^ !turn/switch/skip ?off *$fill $guard ?prompts/checks/mode/requests/system/rules |"},
}

// phraseKeywords returns the keywords of all phrases.
func phraseKeywords() (out []keyword) {
	by := map[string]*phraseKeyword{}
	var order []string
	for _, list := range [][]phraseRow{phraseRows, orderRows} {
		for i := range list {
			r := &list[i]
			p := newPhrase(r.rule, r.pattern)
			for k := range strings.SplitSeq(r.keywordList(), "/") {
				if k = strings.ReplaceAll(k, "_", " "); by[k] == nil {
					by[k], order = &phraseKeyword{text: k}, append(order, k)
				}
				by[k].phrases = append(by[k].phrases, p)
			}
		}
	}
	for _, k := range order {
		a := by[k]
		out = append(out, keyword{text: k, leet: len(k) >= 6 && !strings.Contains(k, " "), gate: a.mayMatch, phrases: a.phrases,
			check: func(s *flagScanner, at int) { s.checkPhrases(a.phrases, at) }})
	}
	return out
}

// keywordList returns the keywords of a row.
func (r *phraseRow) keywordList() string {
	if r.keywords != "" {
		return r.keywords
	}
	_, anchor, _ := strings.Cut(r.pattern, "!")
	anchor, _, _ = strings.Cut(anchor, " ")
	if strings.HasPrefix(anchor, "$") {
		return wordSets[anchor[1:]]
	}
	return anchor
}
