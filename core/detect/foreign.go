package detect

import "strings"

// foreignPhrase is a phrase of another language: a keyword, and around it, in the same sentence,
// one of each group.
type foreignPhrase struct {
	rule   string
	keys   string // between |
	groups []string
}

// nears are instructions to a model in the most common languages besides English, and
// such that say one thing in many ways.
var nears = []foreignPhrase{
	{RuleOverride, "ignorier|missachte|vergiss ", []string{"anweisung|instruktion|vorgaben|befehle|systemprompt|regeln", "vorherig|bisherig|vorangeg|vorige|obige|frühere|alle |deine|systemprompt"}},
	{RuleSend, "~/.netrc|~/.ssh/|.aws/cred|~/.npmrc|id_rsa|id_ed25519|.env file|/etc/shadow|.git-cred|environment var|secrets.y|credentials.json|private key|the .env", []string{"include|paste|append|embed|post |put |send |upload|share |attach|print", "content|its |output|value|them|it ", " in | into | to | as ", "commit mess|pull req|issue|comment|response|reply|answer| url|summary|gist|webhook|http|branch name| chat|query str|@"}},
	{RuleHide, "dem nutzer|dem benutzer|dem anwender", []string{" nicht|nichts|kein", "sag|erzähl|verrat|mitteil|teile |erwähn|zeig"}},
	{RuleOverride, "ignore les|ignore tout|ignore vos|ignore tes|ignorez|oublie", []string{"instructions|consignes|directives|règles", "précédent|precedent|antérieur|ci-dessus|toutes les|tes |vos "}},
	{RuleHide, "l'utilisateur|l’utilisateur|à l'util", []string{"ne |n'|n’", "dis |dites|mentionne|révèle|informe|parle|signale", " pas| jamais| rien"}},
	{RuleOverride, "ignora l|ignora t|ignora c|ignore las|ignore todas|ignore tus|olvida|haz caso", []string{"instrucciones|órdenes|ordenes|indicaciones|directrices", "anterior|previas|previos|todas|arriba|tus "}},
	{RuleHide, "al usuario|al humano", []string{"no |nunca|nada", "digas|diga |menciones|informes|reveles|cuentes|muestres|avises"}},
	{RuleOverride, "ignore as |ignore todas|ignore quais|ignore suas|ignora as|ignora todas|esqueça|esqueca|desconsider", []string{"instruções|instrucoes|orientações|diretrizes", "anterior|prévias|todas|acima|suas"}},
	{RuleHide, "ao usuário|ao usuario|ao utilizador", []string{"não|nao |nunca|nada", "diga|conte|mencione|informe|revele|mostre"}},
	{RuleOverride, "ignora le|ignora tutt|ignora qual|ignora ogni|dimentica", []string{"istruzioni|direttive", "precedenti|sopra|tutte|tue "}},
	{RuleHide, "all'utente|all’utente", []string{"non |mai |nulla", "dire |dica|menzion|rivel|inform|mostrare"}},
	{RuleOverride, "negeer|vergeet", []string{"instructies|opdrachten|aanwijzingen", "vorige|eerdere|bovenstaande|alle |voorgaande"}},
	{RuleOverride, "ignoruj|zapomnij", []string{"instrukcj|polecen|polecenia", "poprzedni|wcześniejsz|wszystk|powyższ"}},
	{RuleOverride, "гнорируй|абудь|тбрось", []string{"инструкц|указани|правил|команд", "предыдущ|прежни|ранее|выше|все |системн"}},
	{RuleHide, "ользовател|еловеку", []string{"не |ничего", "говори|сообщай|рассказывай|упоминай|показывай|раскрывай|скажи"}},
	{RuleOverride, "гноруй|абудь", []string{"інструкц|вказівк", "попередн|всі |усі "}},
	{RuleOverride, "忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要遵循", []string{"指令|指示|提示词|提示|规则|規則|说明|命令", "之前|以上|先前|上面|所有|前面|此前|全部|上述|一切"}},
	{RuleHide, "用户|用戶|使用者", []string{"不要|切勿|请勿|不得|别让|別|别告|禁止", "告诉|告訴|告知|透露|提及|通知|知道"}},
	{RuleOverride, "無視|忘れ", []string{"指示|命令|プロンプト|ルール|指令", "以前|これまで|上記|前の|すべて|全て|今まで|直前"}},
	{RuleHide, "ユーザー|利用者", []string{"ないで|しないこと|てはいけ|せずに|ずに|ません", "伝え|言わ|知らせ|教え|報告|明か|話さ"}},
	{RuleOverride, "무시", []string{"지시|명령|지침|프롬프트", "이전|위의|모든|앞의|기존"}},
	{RuleHide, "사용자", []string{"말|마세요|마라", "알리지|말하지|언급하지|공개하지|알려주지"}},
	{RuleOverride, "تجاهل", []string{"تعليمات|الأوامر|أوامر", "السابق|أعلاه|جميع|كل "}},
	{RuleOverride, "अनदेखा|नज़रअंदाज़", []string{"निर्देश", "पिछले|सभी|पहले|ऊपर"}},
	{RuleOverride, "yoksay|görmezden", []string{"talimat|komut", "önceki|tüm|yukarıdaki|bütün"}},
	{RuleOverride, "bỏ qua", []string{"hướng dẫn|chỉ dẫn|chỉ thị", "trước|trên|tất cả"}},
	{RuleOverride, "abaikan", []string{"instruksi|perintah", "sebelumnya|semua|atas"}},
}

// nearBytes is how far around the keyword the groups may be.
const nearBytes = 90

// nearKeys returns the keywords of the phrases of other languages.
func nearKeys() []keyword {
	var out []keyword
	for _, n := range nears {
		for k := range strings.SplitSeq(n.keys, "|") {
			out = append(out, keyword{text: k, check: func(s *flagScanner, at int) { s.near(&n, at, len(k)) }})
		}
	}
	return out
}

// near looks for the groups around the keyword, and notes all that they span.
func (s *flagScanner) near(n *foreignPhrase, at, size int) {
	from, to := max(0, at-nearBytes), min(len(s.text), at+size+nearBytes)
	from, to = at-sentenceBefore(s.text[from:at]), at+size+sentenceAfter(s.text[at+size:to])
	window := strings.ToLower(s.text[from:to])
	if len(window) != to-from {
		window = lowerASCII(s.text[from:to])
	}
	start, end := at-from, at-from+size
	for _, g := range n.groups {
		i, l := nearest(window, g, start)
		if i < 0 {
			return
		}
		start, end = min(start, i), max(end, i+l)
	}
	s.say(n.rule, from+start, from+end)
}

// lowerASCII returns a text with small ASCII letters, as long as it was.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// nearest returns the first of the words between | that stands in a window, and its
// length; -1 when none does.
func nearest(window, group string, near int) (int, int) {
	best, size := -1, 0
	for w := range strings.SplitSeq(group, "|") {
		if i := strings.Index(window, w); i >= 0 && (best < 0 || distance(i, near) < distance(best, near)) {
			best, size = i, len(w)
		}
	}
	return best, size
}

func distance(a, b int) int { return max(a-b, b-a) }

// sentenceBefore returns how much of a text is of its last sentence, and sentenceAfter
// how much of its first.
func sentenceBefore(s string) int {
	for i := len(s) - 2; i >= 0; i-- {
		switch c := s[i]; {
		case c == '.' || c == '!' || c == '?':
			if s[i+1] == ' ' {
				return len(s) - i - 2
			}
		case c == '\n' && s[i+1] == c:
			return len(s) - i - 2
		case c == 0xE3 || c == 0xEF:
			if strings.HasPrefix(s[i:], "。") || strings.HasPrefix(s[i:], "！") {
				return len(s) - i - 3
			}
		}
	}
	return len(s)
}

func sentenceAfter(s string) int {
	for _, end := range []string{". ", "! ", "? ", "\n\n", "。", "！"} {
		if at := strings.Index(s, end); at >= 0 {
			s = s[:at]
		}
	}
	return len(s)
}
