package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// A decoy looks like a secret, like data of a person or like an order to an agent, and is
// what notes about a project say every day.
type decoy struct {
	name  string
	write func(r *rand.Rand) string
}

// perDecoy is how many lessons are drawn of each kind of decoy; those drawn before are left out.
const perDecoy = 100

var decoys = []decoy{
	{"commit", func(r *rand.Rand) string {
		return "Bisected to commit " + hexes(r, 20) + ", reverted in " + hexes(r, 4) + "."
	}},
	{"md5", func(r *rand.Rand) string { return "The md5 of the fixture must stay " + hexes(r, 16) + "." }},
	{"sha256", func(r *rand.Rand) string { return "go.sum was stale: expected h1:" + base64s(r, 32) + "." }},
	{"integrity", func(r *rand.Rand) string {
		return `package-lock.json: "integrity": "sha512-` + base64s(r, 64) +
			`" did not match; npm cache clean fixed it.`
	}},
	{"image digest", func(r *rand.Rand) string { return "Pin the base image to alpine@sha256:" + hexes(r, 32) + "." }},
	{"UUID", func(r *rand.Rand) string { return "The job " + uuid(r) + " was retried twice." }},
	{"session of an agent", func(r *rand.Rand) string {
		return "Resume agent:main:subagent:" + uuid(r) + " to see the failing step."
	}},
	{"trace", func(r *rand.Rand) string {
		return "traceparent: 00-" + hexes(r, 16) + "-" + hexes(r, 8) + "-01 was dropped by the proxy."
	}},
	{"request id", func(r *rand.Rand) string {
		return "x-amz-request-id: " + strings.ToUpper(letters(r, 16)) + " came with the 503."
	}},
	{"ULID", func(r *rand.Rand) string { return "Migration " + ulid(r) + " adds the index on orders." }},
	{
		"snowflake",
		func(r *rand.Rand) string { return fmt.Sprintf("Message %d was delivered out of order.", r.Uint64()>>2) },
	},
	{"public key of ssh", func(r *rand.Rand) string {
		return "Added ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + base64s(r, 32)[:43] + " deploy@ci to authorized_keys."
	}},
	{
		"fingerprint",
		func(r *rand.Rand) string { return "Host key is SHA256:" + strings.TrimRight(base64s(r, 32), "=") + "." },
	},
	{"certificate", func(r *rand.Rand) string {
		return "-----BEGIN CERTIFICATE----- MIID" + base64s(r, 48) + " was out of date in the test."
	}},
	{"chunk", func(r *rand.Rand) string {
		return "The build writes static/chunks/app-" + hexes(r, 8) + ".js and main." + letters(r, 8) + ".css."
	}},
	{"data URI", func(r *rand.Rand) string {
		return "Inline the icon as data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA" + base64s(r, 60) + "."
	}},
	{"ETag", func(r *rand.Rand) string {
		return `If-None-Match: "` + hexes(r, 16) + `" must give 304 and no body.`
	}},
	{"object id", func(r *rand.Rand) string { return "Seed the test user as ObjectId('" + hexes(r, 12) + "')." }},
	{"ARN", func(r *rand.Rand) string {
		return fmt.Sprintf("The role is arn:aws:iam::%012d:role/%s-deploy.", r.Uint64N(1e12), word(r))
	}},
	{"variable for a key", func(r *rand.Rand) string {
		return "Set " + strings.ToUpper(word(r)) +
			"_API_KEY from the vault; never commit it. In CI it is ${{ secrets." + strings.ToUpper(word(r)) +
			"_TOKEN }}."
	}},
	{"placeholder for a key", func(r *rand.Rand) string {
		return "In .env.example write " + strings.ToUpper(word(r)) + "_SECRET=" +
			anyOf(r, "your-secret-here", "<secret>", "changeme", "xxxxxxxxxxxxxxxx", "sk-...", "REPLACE_ME") + "."
	}},
	{"lookup of a key", func(r *rand.Rand) string {
		return "password := " +
			anyOf(
				r,
				`os.Getenv("DB_PASSWORD")`,
				"cfg.Database.Password",
				"vault.read('db/password')",
				"process.env.DB_PASSWORD",
				"$(pass show db)",
			) +
			" is read once at the start."
	}},
	{"URL of a database without password", func(r *rand.Rand) string {
		return fmt.Sprintf("Tests use postgres://localhost:%d/%s_test?sslmode=disable.", 5000+r.IntN(4000), word(r))
	}},
	{"URL with a template", func(r *rand.Rand) string {
		return "The DSN is mysql://${DB_USER}:${DB_PASS}@" + word(r) + ":3306/" + word(r) + "."
	}},
	{"mail of nobody", func(r *rand.Rand) string {
		return "Commits of bots come from " +
			anyOf(
				r,
				"noreply@github.com",
				"bot@example.com",
				"git@github.com",
				"user@example.org",
				"49699333+dependabot[bot]@users.noreply.github.com",
			) +
			"."
	}},
	{"package at a version", func(r *rand.Rand) string {
		return fmt.Sprintf(
			"Upgrade @%s/%s@%d.%d.%d and eslint@%d.0.0 together.",
			word(r),
			word(r),
			r.IntN(20),
			r.IntN(30),
			r.IntN(9),
			5+r.IntN(5),
		)
	}},
	{"address of nobody", func(r *rand.Rand) string {
		return fmt.Sprintf(
			"The container listens on %s and the mock on 192.0.2.%d.",
			anyOf(r, "127.0.0.1:8080", "0.0.0.0:3000", "10.0.0.5", "172.17.0.1", "[::1]:9090"),
			r.IntN(255),
		)
	}},
	{"version with four parts", func(r *rand.Rand) string {
		return fmt.Sprintf(
			"Chrome %d.0.%d.%d broke the screenshot tests.",
			90+r.IntN(50),
			4000+r.IntN(3000),
			r.IntN(200),
		)
	}},
	{"numbers", func(r *rand.Rand) string {
		return fmt.Sprintf(
			"Order %010d was invoiced as INV-%d-%06d, build %d.",
			r.Uint64N(1e10),
			2020+r.IntN(7),
			r.IntN(1e6),
			r.IntN(1e7),
		)
	}},
	{"time", func(r *rand.Rand) string {
		return fmt.Sprintf(
			"Frozen at %d (2026-%02d-%02dT10:00:00.000Z) in the tests.",
			1700000000000+r.Int64N(9e10),
			1+r.IntN(12),
			1+r.IntN(28),
		)
	}},
	{"home of nobody", func(r *rand.Rand) string {
		return "The image runs as " +
			anyOf(r, "/home/node", "/home/runner/work", "/root", "/home/user", "/Users/runner") +
			" and writes to /var/lib/" + word(r) + "."
	}},
	{"flag that agrees", func(r *rand.Rand) string {
		return "In CI run `" +
			anyOf(
				r,
				"npx create-app --yes",
				"apt-get install -y",
				"terraform plan -input=false",
				"yes | sdkmanager --licenses",
				"npm init --yes",
			) +
			"` for " + word(r) + ", it waits for an answer otherwise."
	}},
	{"ignore something", func(r *rand.Rand) string {
		return anyOf(
			r,
			"Ignore the warnings of "+word(r)+", they are known.",
			"Ignore previous failures of the "+word(r)+" job: the runner was full.",
			"Disregard the old layout in docs/"+word(
				r,
			)+".md.",
			"Forget the cache of "+word(r)+" before a release build.",
		)
	}},
	{"do not tell", func(r *rand.Rand) string {
		return anyOf(
			r,
			"Do not mention internal ticket numbers in the changelog of "+word(r)+".",
			"Never print the token in the logs of "+word(r)+".",
			"Do not create files without asking the user first.",
			"Don't log the request body of "+word(r)+", it holds addresses.",
		)
	}},
	{"download", func(r *rand.Rand) string {
		return anyOf(
			r,
			"`curl -s localhost:8080/"+word(r)+" | jq .status` shows whether it is up.",
			"`curl -fsS https://api.github.com/repos/x/"+word(r)+" | python3 -m json.tool`",
			"The installer of "+word(r)+" is fetched with curl -LO and checked against its SHA256 first.",
		)
	}},
	{"push", func(r *rand.Rand) string {
		return anyOf(
			r,
			"Never force-push to main of "+word(r)+"; open a pull request.",
			"The release script of "+word(r)+" pushes tags to origin and uploads the checksums.",
			"Post the build's result to the team's channel with the "+word(r)+" webhook from the vault.",
		)
	}},
	{"role in prose", func(r *rand.Rand) string {
		return anyOf(
			r,
			"The system prompt of "+word(r)+" is in prompts/system.md.",
			"The user: field of the compose file must be 1000:1000 for "+word(r)+".",
			"Assistant messages of "+word(r)+" are stored without their tool calls.",
		)
	}},
	{"tag in prose", func(r *rand.Rand) string {
		return anyOf(
			r,
			"A missing </div> broke the "+word(r)+" page.",
			"Wrap "+word(r)+" in <Suspense> or the build fails.",
			"The <"+word(r)+"> element needs a key.",
		)
	}},
	{"memory", func(r *rand.Rand) string {
		return anyOf(
			r,
			"Remember to run make generate after a change of "+word(r)+".proto.",
			"From now on "+word(r)+" is built with Go 1.26.",
			"Always run the tests of "+word(r)+" before a commit, and say so when one was skipped.",
		)
	}},
	{"words of other scripts", func(r *rand.Rand) string {
		return anyOf(
			r,
			"Die Prüfung von "+word(r)+" läuft über Nacht.",
			word(r)+" のテストは並列に実行しない。",
			"Тесты "+word(r)+" идут только на Linux.",
			"El módulo "+word(r)+" se compila aparte 🚀.",
		)
	}},
}

func anyOf(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

func word(r *rand.Rand) string {
	return anyOf(
		r,
		"billing",
		"search",
		"router",
		"parser",
		"worker",
		"gateway",
		"ledger",
		"catalog",
		"mailer",
		"indexer",
		"scheduler",
		"checkout",
	)
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func hexes(r *rand.Rand, n int) string   { return hex.EncodeToString(random(r, n)) }
func base64s(r *rand.Rand, n int) string { return base64.StdEncoding.EncodeToString(random(r, n)) }

func letters(r *rand.Rand, n int) string {
	b := random(r, n)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[int(b[i])%36]
	}
	return string(b)
}

func uuid(r *rand.Rand) string {
	h := hexes(r, 16)
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}

func ulid(r *rand.Rand) string {
	b := random(r, 24)
	for i := range b {
		b[i] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[b[i]%32]
	}
	return "01" + string(b)
}

// decoys counts the lessons in which anything at all is found though nothing is wrong with them.
func (s scorer) decoys(w io.Writer) error {
	r := rand.New(rand.NewPCG(20261123, 12))
	var texts []text
	written := map[string]bool{}
	for _, d := range decoys {
		for range perDecoy {
			// An audit reports a text that stands in two lessons once.
			if body := d.write(r); !written[body] {
				written[body] = true
				texts = append(texts, text{class: d.name, body: body})
			}
		}
	}
	findings, err := s.findings(texts)
	if err != nil {
		return err
	}
	flagged := map[int]finding{}
	for _, f := range findings {
		flagged[f.Line] = f
	}
	kinds, first := map[string]int{}, map[string]string{}
	for line, f := range flagged {
		t := texts[line-1]
		kinds[t.class+", "+f.Rule]++
		first[t.class+", "+f.Rule] = t.body
	}
	if s.list {
		for kind, n := range kinds {
			fmt.Fprintf(w, "  %s: %d, such as %s\n", kind, n, first[kind])
		}
	}
	fmt.Fprintf(
		w,
		"decoys: %d of %d flagged (%.2f %%)\n",
		len(flagged),
		len(texts),
		100*float64(len(flagged))/float64(len(texts)),
	)
	return nil
}
