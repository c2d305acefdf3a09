package judge

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/detect"
	"winnow/core/memory"
)

// exampleFiles, proseFiles and lockfiles are tables of paths, in lower case: the names of folders, and beginnings,
// parts and ends of the names of files. They decide whether a secret is evidence.
const (
	exampleFolders = `benchmark benchmarks bench benches test tests testing __tests__ spec specs e2e fixture fixtures testdata __fixtures__ mock mocks __mocks__
		example examples sample samples demo demos testutil testutils snapshots __snapshots__ cassettes vectors goldens`
	exampleNames = `_test. .test. .spec. -test. _spec. /test_ .example .sample .template .dist example. sample. /conftest. /mock_ .mock.
		examples. selftest. .env.test .env.ci .env.e2e
		fixture .snap`
	// trialWords are words in the names of folders and files with made-up users: of tests, of the first rows of a
	// database, of descriptions of an interface, and of the texts of a program in all languages.
	trialWords = exampleFolders + ` seed seeds seeder seeders stories storybook openapi swagger selftest
		i18n l10n locale locales lang langs translations`
	// localWords are words in the names of settings for the machine of a developer and for the runs of a CI server.
	localWords = `dev development vscode devcontainer workflows qc ci e2e test testing`
	// builtFolders have what a framework makes of the code at each build, with keys that it makes up each time.
	builtFolders = `.next .nuxt .output .svelte-kit .angular .turbo`
	// proseEnds are texts for people and models, and pages and what pages are made from, which each visitor gets.
	proseEnds = `.md .mdx .markdown .txt .rst .adoc .org .tex .html .htm .mdc .log .jsonl .ndjson
		.njk .liquid .hbs .mustache .ejs .j2 .jinja .jinja2 .twig`
	lockNames = `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock go.sum cargo.lock poetry.lock uv.lock
		pipfile.lock go.mod composer.lock gemfile.lock packages.lock.json flake.lock podfile.lock mix.lock pubspec.lock
		gradle.lockfile .terraform.lock.hcl package.resolved`
	// vendoredFolders have the code of others, which a project uses.
	vendoredFolders = `node_modules bower_components site-packages vendor vendors vendored third_party third-party pods`
	// installedFolders are those of vendoredFolders that a package manager fills.
	installedFolders = `node_modules bower_components site-packages`
	// markupEnds are code with the elements of a page in it.
	markupEnds    = `.jsx .tsx .vue .svelte`
	generatedEnds = `.js.map .css.map .min.js .min.css`
	// publishedNames are files that a program gives to everybody who installs it.
	publishedNames = `google-services.json googleservice-info.plist`
	codeEnds       = `.go .py .pyi .js .jsx .ts .tsx .mjs .cjs .java .kt .kts .rb .php .cs .c .h .cc .cpp .hpp .rs .swift .scala .dart .lua .pl
		.ex .exs .clj .groovy .vue .svelte .m .mm .r .jl .hs .erl .fs .vb .sol .sql .graphql .gql .proto`
	plainNames = `dockerfile containerfile makefile justfile procfile jenkinsfile vagrantfile env envrc credentials config netrc npmrc
		pypirc pgpass htpasswd`
)

// whereabouts says what kind of file a secret is in.
type whereabouts struct {
	base     string // the name, in lower case
	example  bool   // tests, fixtures and examples
	trial    bool   // these, or what else has made-up users
	local    bool   // settings for the machine of a developer
	prose    bool   // text for people and models
	unknown  bool   // standard input, and files without an extension
	lockfile bool
	code     bool
	bundled  bool // what a bundler wrote, with the names of variables in lists
	built    bool // what a framework makes at each build
	vendored bool // the code of others
	// installed is set for the code of others that a package manager fetched.
	installed bool
}

// whereaboutsOf returns the kind of the file at a path.
func whereaboutsOf(name string) (w whereabouts) {
	name = "/" + strings.ReplaceAll(name, `\`, "/")
	dir, base := path.Split(name)
	for part := range strings.SplitSeq(dir, "/") {
		w.addFolder(strings.ToLower(part))
	}
	w.example = hasPart(dir, exampleFolders)
	w.local = (w.local || hasPart(base, localWords)) && !hasPart(name, "prod production live deploy release")
	base = strings.ToLower(base)
	w.base = base
	for part := range strings.FieldsSeq(exampleNames) {
		w.example = w.example || strings.Contains("/"+base, part)
	}
	isEnv := strings.HasPrefix(base, ".env") || strings.HasSuffix(base, ".env")
	// The folder of a project's transcripts is named after its path: "projects/-home-kate-lang-server".
	isTrial := !isEnv && !strings.Contains(dir, "/projects/-") && hasPart(name, trialWords)
	w.trial = w.example || isTrial
	ext := path.Ext(base)
	w.lockfile = listed(lockNames, base) || ext == ".lock"
	w.code = listed(codeEnds, ext)
	w.prose = listed(proseEnds, ext)
	w.bundled = w.built || slices.ContainsFunc(strings.Fields(generatedEnds), func(end string) bool {
		return strings.HasSuffix(base, end)
	})
	w.unknown = ext == "" && !listed(plainNames, base)
	return w
}

// addFolder notes what the name of a folder above the file says.
func (w *whereabouts) addFolder(name string) {
	w.vendored = w.vendored || listed(vendoredFolders, name)
	w.installed = w.installed || listed(installedFolders, name)
	w.built = w.built || listed(builtFolders, name)
	w.local = w.local || listed(localWords, strings.TrimPrefix(name, "."))
}

// whereabouts returns the kind of the file that is read. The folders above a store, or above what is audited, say
// nothing of what is in it: a project may be in a folder named demo.
func (r *Reading) whereabouts() whereabouts {
	switch {
	case r.doc.Store != "":
		return whereaboutsOf(path.Base(r.doc.Path))
	case r.doc.Within != "":
		return whereaboutsOf(r.doc.Within)
	}
	return whereaboutsOf(r.doc.Path)
}

// betweenWords matches the place between two words of a name such as MyAppTests.
var betweenWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([a-z0-9])([A-Z])`) })

// hasPart reports whether one of the listed words is a part of a path.
func hasPart(name, words string) bool {
	isBetween := func(r rune) bool { return strings.ContainsRune("-_. /", r) }
	has := func(name string) bool {
		return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(name), isBetween), func(part string) bool {
			return listed(words, part)
		})
	}
	return has(name) || has(separated(name))
}

// separated returns a name with a mark between its words.
func separated(name string) string { return betweenWords().ReplaceAllString(name, "${1}_$2") }

// listed reports whether a table has a word.
func listed(table, word string) bool {
	for x := range strings.FieldsSeq(table) {
		if x == word {
			return true
		}
	}
	return false
}

// inCode reports whether a finding is in source code, outside of a string and a comment, where replacing it breaks a
// name.
func inCode(f *memory.Finding) bool {
	if !listed(codeEnds, strings.ToLower(path.Ext(f.Path))) {
		return false
	}
	before := lineBefore(f)
	quote := byte(0)
	for i := range len(before) {
		switch c := before[i]; {
		case quote != 0 && c == quote && before[max(0, i-1)] != '\\':
			quote = 0
		case quote == 0 && (c == '"' || c == '\'' || c == '`'):
			quote = c
		}
	}
	isComment := strings.Contains(before, "//") || strings.Contains(before, "#") ||
		strings.HasPrefix(strings.TrimSpace(before), "*") ||
		strings.HasPrefix(strings.TrimSpace(before), "--")
	return quote == 0 && !isComment
}

// assignment matches the beginning of a line that assigns a value to a name, as a line of an env file and of a shell
// does.
var assignment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:(?:export|set|ENV|ARG)\s+)?[A-Za-z_][A-Za-z0-9_.-]*\s*=\s*["']?$`)
})

// weighSecret sets the severity of a secret: high is evidence, medium asks for a look, low is a note. A secret of a
// known format and a private key are evidence, and so is a random value that configuration or code assigns to a name.
// One in tests, fixtures, examples and the code of others is evidence only if its checksum is valid.
func (r *Reading) weighSecret(f *memory.Finding) {
	if f.Family != memory.FamilySecret || f.Severity != memory.High || detect.HasValidChecksum(f.Text[f.Start:f.End]) {
		return
	}
	where := r.whereabouts()
	switch {
	case isNote(f, where), detect.IsGeneric(f.Rule) && isGenericNote(f, where):
		f.Severity = memory.Low
	case where.example || where.vendored || standsForNone(f):
		f.Severity = memory.Medium
	case f.Rule == "generic-secret" && isForTrial(f, where):
		f.Severity = memory.Medium
	case detect.IsGeneric(f.Rule) && f.Rule != RuleKnown && !isAssigned(f, where):
		f.Severity = memory.Medium // a copy of a known secret is as severe as what it copies
	}
}

// standsForNone reports whether a line says of a secret that it is none, or stands in for one.
func standsForNone(f *memory.Finding) bool {
	return isCalledFake(f) || isDefault(f) || isExampleField(f)
}

// isForTrial reports whether a random value of no known format is for a try or for everybody, by its name or its file.
func isForTrial(f *memory.Finding, where whereabouts) bool {
	return where.built || where.trial || where.local && isOwnKey(f) || isCalledTest(f) || isPublic(f)
}

// isAssigned reports whether configuration or code assigns a random value to a name. The query of a link assigns none.
func isAssigned(f *memory.Finding, where whereabouts) bool {
	isConfiguration := !where.prose && !where.lockfile && (!where.unknown || assignment().MatchString(lineBefore(f)))
	isAttribute := listed(markupEnds, path.Ext(where.base)) && attribute().MatchString(lineBefore(f))
	return isConfiguration && detect.Random(f.Text[f.Start:f.End]) && !isInQuery(f) && !isAttribute
}

// isNote reports whether a secret is worth no more than a note where it stands: in the code of others, the key of an
// app that everybody has who installs it, and in tests what says of itself that it is none.
func isNote(f *memory.Finding, where whereabouts) bool {
	secret := f.Text[f.Start:f.End]
	isSigned := f.Rule == "aws-access-key-id" && isInSignedLink(f)
	if isOfOthers(f, where) || isSigned || f.Rule == "gcp-api-key" && listed(publishedNames, where.base) {
		return true
	}
	if isExampleField(f) && (detect.IsGeneric(f.Rule) || f.Rule == "jwt" && claimsNothing(secret)) {
		return true
	}
	return where.example && (isCalledFake(f) || namesTest(secret) || isNoKey(f, where))
}

// isOfOthers reports whether a secret of no use to its reader came with the code of others.
func isOfOthers(f *memory.Finding, where whereabouts) bool {
	switch {
	case detect.IsGeneric(f.Rule), f.Rule == "jwt":
		return where.vendored
	case f.Rule == "private-key":
		return where.installed
	}
	return false
}

// isGenericNote reports whether a value of no known format is worth no more than a note: a hash in a lockfile, the id
// of a member of an enumeration, a link that a page shows, a password's hash in tests; and what is not random in tests,
// where it is a name in code, and in the URL of a service on the same machine or of nobody.
func isGenericNote(f *memory.Finding, where whereabouts) bool {
	switch {
	case where.lockfile, where.code && isMemberID(f), !where.code && isShownLink(f), isInSignedLink(f),
		isDataAttribute(f):
		return true
	case where.example && detect.IsPasswordHash(f.Text[f.Start:f.End]):
		return true
	case detect.Random(f.Text[f.Start:f.End]):
		return false
	}
	return where.trial || where.bundled || inCode(f) || isAtNobodysHost(f) || isCalledTest(f) || saysItIsLocal(f)
}

// counted matches a word or two and counting, perhaps with a mark that somebody's rule for passwords asks for.
var counted = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[a-z]+|([A-Z][a-z]+)+)1234?5?6?([!.$#]?)$`)
})

// saysItIsLocal reports whether a value that is not random says of itself that it is a stopgap, as "dm_dev_password",
// "t4g_pass", "PreviewAdmin2026" and "payments123" do; the last two may be real ones where they are sent to a host, and
// one that counts in settings if it ends in a mark.
func saysItIsLocal(f *memory.Finding) bool {
	value := f.Text[f.Start:f.End]
	isSent := strings.HasPrefix(f.Text[f.End:], "@")
	switch m := counted().FindStringSubmatch(value); {
	case hasWord(separated(value), "prod production live"):
		return false
	case hasWord(separated(value), "test demo example sample dummy preview sandbox temporary changeme"):
		return !isSent
	case m != nil:
		return (m[2] == "" || listed(codeEnds, path.Ext(f.Path))) && !isSent
	}
	return hasWord(value, "pass password passwd pwd secret dev local demo default")
}

// namesTest reports whether a word in a value says that it was made up for a test, as in "sk-test-sentinel-4f1a9c7e".
func namesTest(value string) bool {
	return hasWord(value, "test fake dummy mock sample some token secret example oauth generated canary payload "+
		"header signature")
}

// hasWord reports whether one of the listed words stands between what are no letters in a text.
func hasWord(text, words string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if listed(words, word) {
			return true
		}
	}
	return false
}

// isNoKey reports whether what has the form of a key or a web token in a test is of no use: nobody issued it, it is too
// short, or everybody who implements the same computes with it.
func isNoKey(f *memory.Finding, where whereabouts) bool {
	secret := f.Text[f.Start:f.End]
	switch f.Rule {
	case "jwt":
		return claimsNothing(secret)
	case "private-key":
		return isStub(secret) || hasWord(where.base, "vector vectors")
	}
	return false
}

// isStub reports whether a private key between its first and last line is too short for a key.
func isStub(secret string) bool {
	const shortest = 60 // Ed25519 has 64 characters
	_, body, _ := strings.Cut(secret, "KEY-----")
	body, _, isWhole := strings.Cut(body, "-----END")
	return isWhole && len(body) < shortest
}

// claimsNothing reports whether a web token is of no use: it claims nothing, or says that it is a test.
func claimsNothing(token string) bool {
	text, ok := detect.Claims(token)
	return !ok || namesTest(text)
}

// isCalledFake reports whether the name that a line gives to a secret says that it is none, as TEST_FAKE_RSA_KEY and
// invalidCredential do.
func isCalledFake(f *memory.Finding) bool {
	before := lineBefore(f)
	return strings.Contains(before, "e.g.") || hasWord(separated(before), "fake dummy mock invalid")
}

// namedBefore matches a line up to the value of a field, a variable or an option, and its name.
var namedBefore = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([A-Za-z_][\w.-]*)[\]"'\x60\\]*\s*(?:[:=|>]|:=|=>)+\s*[\\"'\x60(b]*$`)
})

// nameBefore returns the words of the name that a line gives to a secret.
func nameBefore(f *memory.Finding) string {
	if m := namedBefore().FindStringSubmatch(lineBefore(f)); m != nil {
		return separated(m[1])
	}
	return ""
}

// isCalledTest reports whether a value is that of a name such as TEST_CUSTOMER_PASSWORD and demoToken.
func isCalledTest(f *memory.Finding) bool {
	return hasWord(nameBefore(f), "test tests testing demo example sample placeholder")
}

// isExampleField reports whether a secret is the example in the description of a field: `example: "k8Kq2LmV9x"`.
func isExampleField(f *memory.Finding) bool {
	name := strings.TrimPrefix(strings.ToLower(nameBefore(f)), "x-")
	return listed("example examples sample placeholder", name)
}

// isPublic reports whether a bundler puts the value of a variable with such a name into the pages for every visitor.
func isPublic(f *memory.Finding) bool {
	name := nameBefore(f)
	return slices.ContainsFunc(strings.Fields("NEXT_PUBLIC_ NUXT_PUBLIC_ EXPO_PUBLIC_ VITE_ REACT_APP_"),
		func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// isOwnKey reports whether a value is a key that a program signs or encrypts its own sessions with, by its name. It is
// made up by whoever runs the program and opens nothing elsewhere.
func isOwnKey(f *memory.Finding) bool {
	name := nameBefore(f)
	return hasWord(name, "jwt session sessions cookie cookies signing encryption encrypt nextauth salt csrf") ||
		listed("secret secret_key secret_key_base secretkey auth_secret app_key app_secret", strings.ToLower(name))
}

// isDefault reports whether a secret stands in for a variable that is not set, as in "${TOKEN:-k8Kq2LmV9x}": everybody
// who reads the file knows it, and it is of use where nobody set another.
func isDefault(f *memory.Finding) bool {
	before := lineBefore(f)
	open := strings.LastIndex(before, "${")
	return open >= 0 && strings.HasSuffix(strings.TrimSuffix(before, "-"), ":") &&
		!strings.ContainsAny(before[open:], " }")
}

// inQuery matches the beginning of a line up to a value in the query of a link; shownLink, of one that a page shows.
var (
	inQuery   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`https?://[^\s"'<>]*[?&][\w.-]+=$`) })
	shownLink = sync.OnceValue(func() *regexp.Regexp {
		const link, attribute = `\]\((?:https?:)?//`, `(?:src|srcset|href)=\\?["'](?:https?:/)?/`
		return regexp.MustCompile(`(?i)(?:` + link + `|` + attribute + `)[^\s"'<>]*[?&](?:amp;)?[\w.-]+=$`)
	})
)

func isInQuery(f *memory.Finding) bool   { return inQuery().MatchString(lineBefore(f)) }
func isShownLink(f *memory.Finding) bool { return shownLink().MatchString(lineBefore(f)) }

// isInSignedLink reports whether a finding is a part of a signed link to a file at AWS, which is of use for minutes.
func isInSignedLink(f *memory.Finding) bool {
	before := strings.ToLower(lineBefore(f))
	return strings.HasSuffix(before, "x-amz-credential=") || strings.HasSuffix(before, "x-amz-security-token=")
}

// attribute matches a line up to the value of an attribute of an element of a page, which is sent to each visitor.
var attribute = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^\s*|<\w[\w.]*[^<>]*\s)[a-z][\w-]*=["']$`)
})

// dataAttribute matches a line up to the value of an attribute that a page has for its own scripts, also one that was
// fetched and kept as a string.
var dataAttribute = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\sdata-[a-z][\w-]*=\\?["']$`) })

func isDataAttribute(f *memory.Finding) bool { return dataAttribute().MatchString(lineBefore(f)) }

// memberID matches a line up to the value of a member of an enumeration, as in `  OnePassword = "`.
var memberID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*[A-Z]\w*[a-z]\w*\s*[=:]\s*["'(]+$`)
})

// isMemberID reports whether a finding is the UUID of a member of an enumeration.
func isMemberID(f *memory.Finding) bool {
	return detect.IsUUID(f.Text[f.Start:f.End]) && memberID().MatchString(lineBefore(f))
}

// nobodysHosts are this machine and the names that RFC 2606 reserves for tests and documentation, as their ends.
const nobodysHosts = `localhost 127.0.0.1 example.com example.org example.net .example .test .invalid .localhost`

// isAtNobodysHost reports whether a finding is the password in a URL with a host of nobodysHosts, or without a domain.
func isAtNobodysHost(f *memory.Finding) bool {
	host, ok := strings.CutPrefix(f.Text[f.End:], "@")
	if n := strings.IndexAny(host, ":/?#\"'`<>) \t\r\n"); n >= 0 {
		host = host[:n]
	}
	if ok && host != "" && !strings.Contains(host, ".") {
		return true // a service of a compose file, which no other machine reaches by that name
	}
	return ok && slices.ContainsFunc(strings.Fields(nobodysHosts), func(end string) bool {
		return strings.HasSuffix(strings.ToLower(host), end)
	})
}

// lineBefore returns the text before the place of a finding, in its line.
func lineBefore(f *memory.Finding) string {
	return f.Text[strings.LastIndexByte(f.Text[:f.Start], '\n')+1 : f.Start]
}
