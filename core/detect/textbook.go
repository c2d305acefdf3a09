package detect

import (
	"regexp"
	"strings"
	"sync"
)

// phrase is a textbook line: wording that many attacks share. The text around a keyword is matched only if
// it contains one of needs.
type phrase struct {
	rule            string
	keywords, needs string // separated by semicolons, in lower case; keywords have at least minKeywordLen bytes
	// expr is an expression in which a space stands for what may be between two words, and ~3 for up to
	// three words.
	expr string
}

// Groups of words in textbook lines.
const (
	dropWords  = `(?:ignore|disregard|forget|override|overrule|bypass|neglect|discard|abandon)`
	toldWords  = `(?:instructions?|prompts?|directives?|guidelines?|guidance|rules|training|programming|restrictions|policies|safeguards)`
	priorWords = `(?:previous|previously|prior|above|preceding|earlier|foregoing|former|system|safety|original|initial|developer|your)`
	notWords   = `(?:do not|don.?t|never|must not|not)`
	orderStart = `(?:^|[.!;:,>*("-] ?|(?:and|but|please|then|so|must|should|also|or|you) )`
	tellWords  = `(?:tell|inform|notify|alert|warn)`
	showWords  = `(?:mention|reveal|disclose|show|report|admit|discuss|explain)`
	thisWords  = `(?:this|these|that|it|anything|any)`
	who        = `(?:the |your |a |any )?(?:users?|humans?|operator|owner|developer|maintainer|reviewer|anyone|anybody|them)`
	freeRoles  = `(?:unrestricted|unfiltered|uncensored|jailbroken|dan|root|hacker|attacker|administrator|admin|evil|pirate|superuser)`
	models     = `(?:ai|llm|assistant|agent|model|bot|chatbot|language model)`
	actWords   = `(?:run|execute|delete|send|push|commit|install|upload|merge|remove|deploy|publish|approve|add|create|change|write|make|disable)`
	noteWords  = `(?:note|instructions?|message|memory|rules?|text|paragraph|prompt|steps?|lesson|sentence|lines?)`
)

// phrases are the textbook lines, in English first.
var phrases = [...]phrase{
	{
		RuleOverride,
		"ignore;disregard;forget;override;overrule;bypass;neglect;discard;abandon",
		"instruction;prompt;directive;guid;rules;training;programming;restriction;policies;safeguard",
		dropWords + ` ~4` + priorWords + ` ~3` + toldWords,
	},
	{RuleOverride, "ignore;disregard;forget", "above;before;earlier;previous;prior;instruction",
		`(?:ignore|disregard|forget) ~2(?:(?:all|every) ~1` + toldWords + `(?: ~2(?:above|before|earlier|received|given)|[.!;]|$)|(?:everything|anything|all|what) ~4(?:above|before|earlier|previously|told|instructed)(?: (?:and|now)|[.!;,]|$))`},
	{RuleOverride, "ignore;disregard;override", "user;human;operator",
		`(?:ignore|disregard|override) (?:what|whatever|the|your) ~1(?:user|human|operator)(?:.?s)? (?:asked|said|says|wants|wanted|requested|requests?|wishes|instructions|intent|goal)`},
	{RuleOverride, "instruction;prompt;directive", "new ;updated ;revised ;real ",
		`(?:new|updated|revised|real|actual) (?:system )?(?:instructions?|prompt|directives)(?: for (?:the |an? )?` + models + `)?(?:\s*:| follow)`},
	{RuleOverride, "system override", "", `system override\s*:`},
	{RuleOverride, "follow;obey ;obeying", "not ;n't ;never ;stop ",
		`(?:do not|don.?t|never|stop) (?:follow|following|obey|obeying) ~4(?:previous|prior|above|system|your|safety|original) ~3` + toldWords},
	{
		RuleOverride,
		"instruction;guideline;restriction;rules are",
		"void;longer;lifted;revoked;suspended;cancel;invalid;overrides;supersede",
		`(?:(?:your|previous|prior|earlier|above) ~2` + toldWords + ` (?:are|were|is|have been|no)(?: now)? ~1(?:void|longer|lifted|revoked|suspended|cancell?ed|invalid|obsolete)|(?:overrides|supersedes|replaces) ~2` + priorWords + ` ~2` + toldWords + `)`,
	},

	{
		RuleHide,
		"tell the;tell your;tell any;inform;notify;alert the;warn the;mention;reveal;disclose;show th;report th;admit;discuss",
		"not ;n't ;never ;no need",
		`(?:` + orderStart + notWords + ` (?:` + tellWords + ` ` + who + `(?: (?:about|that|of|what|why|anything)|[.!;]|$)|` + showWords + ` ` + thisWords + ` ~4(?:to ` + who + `|` + noteWords + `(?: (?:when|if|to|even|under)|[.!;,]|$)))|no need to (?:tell|mention|inform|report) ~4` + who + `)`,
	},
	{RuleHide, "hide this;hide it;hide that;hide these;conceal;keep this;keep it;keep that;keep these", "from;secret",
		`(?:(?:hide|conceal|keep) (?:this|it|that|these) ~4from ` + who + `|keep (?:this|it|that) (?:a )?secret)`},
	{RuleHide, "without;sking", "user;human;approv;consent;permission;confirm;telling;informing;asking",
		`(?:^|[.!;:,*>("-] ?|(?:and|then|always|silently|just) )(?:silently )?` + actWords + `(?: and ` + actWords + `)?(?: [^.;!?\n]{0,70})? without (?:(?:asking|telling|informing|notifying|consulting|alerting)(?: ` + who + `)?|~2(?:user|human|user.?s|human.?s)? ?(?:explicit )?(?:approval|consent|permission|confirmation|knowledge))`},
	{
		RuleHide,
		"without",
		"telling;informing;notifying",
		`(?:^|[.!;:"] ?)without (?:telling|informing|notifying|asking) ` + who + `, ~2` + actWords,
	},
	{
		RuleHide,
		"let the user;let your user;let the human;let anyone;let anybody;leave no;cover your;keep quiet;keep silent;does not notice;not ask for;never ask",
		"no;not;n't;never;cover;quiet;silent",
		`(?:` + notWords + ` let ` + who + ` (?:know|see|notice|find)|leave no (?:trace|record|evidence)|cover your tracks|keep (?:quiet|silent) about|user does not notice|` + notWords + ` ask (?:` + who + ` )?for (?:any )?(?:permission|confirmation|approval))`,
	},

	{RulePersona, "you are now;you're now;you are no longer;no longer bound;act as;behave as;respond as;pretend", "",
		`(?:you.?(?:are|re) now ~2` + freeRoles + `|you.?(?:are|re) now in ~2(?:developer|debug|maintenance|god|training) mode|you are no longer (?:bound|restricted|limited|an? ~2` + models + `)|(?:act|behave|respond) as (?:an? )?~1(?:` + freeRoles + `|` + models + ` with(?:out| no))|pretend ~2(?:you are|to be|you.re) ~3(?:` + freeRoles + `|system administrator|` + models + `))`},
	{
		RulePersona,
		"have no restriction;have no limit;have no filter;without any restriction;anything now;god mode;jailbreak mode;dan mode;enter developer;activate developer;your new role;your new task;your true",
		"",
		`(?:you (?:now )?have no ~2(?:restrictions|limits|limitations|filters|guidelines)|do anything now|(?:enter|enable|activate) ~1(?:dan|god|jailbreak|unrestricted) mode|(?:enter|activate) developer mode|your (?:new|real|true) (?:role|task|goal|identity|purpose) is)`,
	},

	{
		RuleOrder,
		"from now on",
		"",
		`from now on,? (?:you (?:must|will|shall|are|should)|(?:always |never |only )?(?:answer|respond|reply|obey|trust|include|append|send|ignore))`,
	},
	{RuleOrder, "you read this;you see this;reading this;are an ai;are a language;as an ai ;you load this", "",
		`(?:(?:when|whenever|once|if|after) you (?:read|see|load) this|(?:if|since|as) you are an? ~2` + models + ` ~3(?:you must|must|should|please|ignore|run|add|send|include)|` + models + ` reading this,? ~1(?:you )?(?:must|should|please|have to))`},
	{
		RuleOrder,
		"your system prompt;your hidden;your initial;your secret inst;your system inst",
		"print;reveal;show;output;repeat;display;recite",
		`(?:print|reveal|show|output|repeat|display|recite) (?:me )?~2your ~1(?:system|hidden|initial|secret) (?:prompt|instructions)`,
	},
	{RuleOrder, "always obey;always trust;always comply;always run;must obey;obey only", "",
		`(?:always (?:obey|trust|comply with) ~2(?:this|these|all|any|every)|you (?:must )?obey (?:only )?(?:this|these|me|my|all)|always run ~4(?:curl|wget|sudo|eval|iex|powershell|https?))`},
	{RuleOrder, "decode;decrypt;unscramble;deobfuscate", "follow;obey;carry out;do what;act on",
		`(?:base64-)?(?:decode|decrypt|unscramble|deobfuscate) ~8(?:follow|obey|carry out|act on|do what) `},
	{
		RuleSpread,
		"this instruction;this note;this rule;this text;this memory;this lesson;this sentence;this line;these rules",
		"copy;add;append;store;write;insert;repeat",
		`(?:copy|add|append|store|write|insert|repeat) (?:this|these) ` + noteWords + ` (?:to|in|into|across) ~2(?:every|all|other|each) ~2(?:memor|file|project|repo|readme|agent|claude)`,
	},
	{
		RuleSend,
		"exfiltrate;leak the;leak all",
		"",
		`(?:always|then|now|and|must|please|silently) (?:exfiltrate|leak) ~4(?:env|credentials?|secrets?|passwords?|keys|tokens|cookies)`,
	},
	{
		RulePermissions,
		"permission prompt;approve all;approve every;allow all tool;accept all tool;the sandbox;auto-approve all;every tool",
		"",
		`(?:(?:answer|say|reply) yes to (?:all|every|any) ~2prompts?|(?:always )?(?:approve|allow|accept) (?:all|every|any) ~1(?:tools?|permissions?|commands|requests?)(?: calls?)?(?: without asking|[.!;,]|$)|(?:disable|turn off|switch off) (?:the )?sandbox|auto.?approve all)`,
	},
	{RuleChecks, "verification;validation", "tls;ssl;certificate;https",
		`(?:disable|bypass|turn off|switch off|skip|deactivate) ~2(?:ssl|tls|https|certificate|certificates)(?: certificate)? (?:verification|validation|checks?|checking)`},

	// In German, French, Spanish and Portuguese, Russian, Chinese, Japanese and Korean.
	{RuleOverride, "gnoriere;vergiss;missachte", "anweisung;regel;instruktion;vorgabe;prompt",
		`(?:ignoriere|ignorieren sie|vergiss|missachte) ~1(?:alle|deine|die|sämtliche) ~2(?:anweisungen|regeln|instruktionen|vorgaben|prompts?)`},
	{RuleOverride, "gnorez;gnore tou;gnore les;oublie", "instructions;consignes;directives;règles",
		`(?:ignore[zr]?|oublie[zr]?) ~2(?:les|vos|tes|ces) ~1(?:instructions|consignes|directives|règles) ~1(?:précédentes|antérieures|ci-dessus|système)`},
	{
		RuleOverride,
		"gnora ;gnore ;gnoren;olvid;desconsider;esque;gnora tod;gnore tod",
		"instrucciones;instruções;reglas;regras;istruzioni;dijeron",
		`(?:ignor[ae]n?|olvid[ae]|desconsider[ae]|esqueça|dimentica) (?:~3(?:instrucciones|instruções|reglas|regras|istruzioni) ~1(?:anteriores|previas|prévias|precedenti|del sistema)|(?:todas?|todo) ~2(?:tus|suas|sus) ~1(?:instrucciones|instruções|reglas|regras)|lo que te dijeron)`,
	},
	{RuleOverride, "гнорируй;забудь;отбрось", "инструкци;указани;правил;команд",
		`(?:игнорируй|игнорируйте|проигнорируй|забудь|забудьте|отбрось) ~2(?:все|предыдущие|прежние) ~2(?:инструкции|указания|правила|команды)`},
	{RuleOverride, "忽略;无视;無視;忘记;忘れ;무시;잊어", "",
		`(?:(?:忽略|无视|忘记)[^。！？\n]{0,6}(?:之前|以上|先前|上面|此前|所有|全部|系统)[^。！？\n]{0,8}(?:指令|指示|提示|规则)|(?:以前|これまで|上記|前の|すべて)[^。\n]{0,12}(?:指示|命令|指令|ルール)[^。\n]{0,8}(?:無視|忘れ)|(?:이전|위의|모든|앞의)[^.\n]{0,12}(?:지시|명령|지침|규칙)[^.\n]{0,6}(?:무시|잊))`},
	{RuleHide, "nutzer;anwender;utilisateur;usuario;usuário;пользовател;用户;ユーザー", "",
		`(?:(?:sag|erzähl|verrat|erwähn)\pL* ~1(?:dem|den|gegenüber dem) ~1(?:nutzer|benutzer|anwender)\pL* (?:nichts|nicht)|verschweig\pL* ~1(?:nutzer|benutzer)|ne (?:dites|dis|parlez|parle|mentionnez|mentionne|révélez) (?:pas|rien|jamais) ~2.{0,3}utilisateur|(?:no|nunca|não|nao) ~1(?:digas?|cuentes?|conte|informes?|reveles?|menciones?|avises?) ~3(?:usuario|usuário)|не (?:говори|сообщай|рассказывай|упоминай|показывай)\pL* ~1пользовател\pL*|(?:不要|别|不得|切勿|请勿)(?:告诉|告知|透露|通知|让)[^。！\n]{0,6}用户|ユーザー[^。\n]{0,6}(?:伝え|知らせ|言わ|教え|報告し)(?:ない|ず))`},
}

// compiledPhrases are the expressions of the phrases, each compiled when it is first needed.
var compiledPhrases = func() []func() *regexp.Regexp {
	words := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`~(\d)`) })
	out := make([]func() *regexp.Regexp, len(phrases))
	for i := range phrases {
		out[i] = sync.OnceValue(func() *regexp.Regexp {
			expr := words().ReplaceAllString(phrases[i].expr, `(?:[\pL\pN][\pL\pN'’]*[^\pL\pN.!?|"“”']{1,6}){0,$1}`)
			return regexp.MustCompile(
				`(?im)(?:^|[^a-z_]|[^a-z]_)(` + strings.ReplaceAll(expr, " ", `(?:[^\pL\pN.!?|"“”']{1,6})`) + `)`,
			)
		})
	}
	return out
}()

// phraseMargin is how many bytes on each side of a keyword are searched for its textbook line.
const phraseMargin = 200

// checkPhrase reports the textbook lines with that number around byte at.
func (s *flagScanner) checkPhrase(n, at int) {
	if at < s.phrasesCheckedTo[n] {
		return
	}
	from, to := contextStart(s.text, at, phraseMargin), contextEnd(s.text, at, phraseMargin)
	s.phrasesCheckedTo[n] = to
	p := &phrases[n]
	if p.needs != "" && !containsAny(strings.ToLower(s.text[from:to]), p.needs) {
		return
	}
	for _, m := range compiledPhrases[n]().FindAllStringSubmatchIndex(s.text[from:to], -1) {
		s.report(p.rule, from+m[2], from+m[3])
	}
}

// phraseKeywords returns the keywords of the textbook lines.
func phraseKeywords() (out []keyword) {
	for n := range phrases {
		for k := range strings.SplitSeq(phrases[n].keywords, ";") {
			out = append(out, keyword{text: k, check: func(s *flagScanner, at int) { s.checkPhrase(n, at) }})
		}
	}
	return out
}
