package audittest

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"winnow/core/memory"
)

// Contexts are where secrets stand in the texts.
var Contexts = []string{"prose", "json", "shell", "error", "url", "cut"}

// secrets makes a text of each kind in each context.
func secrets(g gen) (items []Item) {
	for _, k := range slices.Concat(hosts, clouds, services, forms) {
		for _, c := range Contexts {
			items = append(items, k.inContext(g, c))
		}
	}
	return items
}

// inContext returns a secret of the kind in a context.
func (k *kind) inContext(g gen, context string) Item {
	secret := k.secret(g)
	shown := k.inCarrier(markSecret(secret))
	name := strings.ToLower(k.label)
	said := strings.ReplaceAll(name, "_", " ")
	text := ""
	switch context {
	case "prose":
		text = k.prose(g, said, shown)
	case "json":
		text = `{"name":"ci","` + name + `":` + quoted(shown) + `,"retries":3}`
	case "shell":
		text = k.shell(g, shown)
	case "error":
		text = k.failure(g, said, shown)
	case "url":
		text = k.url(g, name, secret)
	case "cut":
		return k.truncated(g, secret)
	}
	it := marked(memory.FamilySecret, k.name, text)
	it.Context, it.Secret = context, secret
	return it
}

// markSecret marks a secret. That of a URL begins behind its scheme.
func markSecret(secret string) string {
	const scheme = "https://"
	if rest, ok := strings.CutPrefix(secret, scheme); ok {
		return scheme + from + rest + to
	}
	return from + secret + to
}

func (k *kind) inCarrier(secret string) string {
	if k.carrier == "" {
		return secret
	}
	return strings.ReplaceAll(k.carrier, "{}", secret)
}

// needsNoName reports whether the secret needs no name beside it.
func (k *kind) needsNoName() bool { return k.bare || k.carrier != "" }

func (k *kind) prose(g gen, said, shown string) string {
	if !k.needsNoName() {
		return pick(
			g,
			[]string{
				"the " + said + " is " + shown + " until Friday",
				"We moved. New " + said + ": " + shown,
				"Note to all, the " + said + " was changed to " + shown,
			},
		)
	}
	return pick(g, []string{
		"the deploy used " + shown + " from the old machine", "It only worked with " + shown + ", ask Dana why.",
		"rotate " + shown + " before the demo", "In staging we use (" + shown + ") for now",
	})
}

func (k *kind) shell(g gen, shown string) string {
	if strings.Contains(shown, "\n") {
		return "cat > key.pem <<EOF\n" + shown + "\nEOF"
	}
	return pick(
		g,
		[]string{
			"export " + k.label + "=" + shown,
			k.label + `="` + shown + `" make deploy`,
			"echo '" + k.label + "=" + shown + "' >> .env",
		},
	)
}

func (k *kind) failure(g gen, said, shown string) string {
	if !k.needsNoName() {
		return pick(
			g,
			[]string{
				"Error: 401 Unauthorized: invalid " + said + " '" + shown + "'",
				"Failed: login refused (" + said + "=" + shown + "), step 3 of 4",
			},
		)
	}
	return pick(g, []string{
		"Failed: fatal: could not authenticate with '" + shown + "'; retry later", "HTTP 403 from upstream, sent " +
			shown + "\n    at connect (client.js:42:7)",
		"panic: bad credentials: " + shown,
	})
}

// url puts the secret in a URL. One that has its own is left there.
func (k *kind) url(g gen, name, secret string) string {
	switch {
	case strings.Contains(k.carrier, "://"):
		return "see " + k.inCarrier(from+secret+to) + " for more"
	case strings.HasPrefix(k.carrier, "Authorization: "):
		scheme, _, _ := strings.Cut(strings.TrimPrefix(k.carrier, "Authorization: "), " ")
		return "GET https://api.corp.example/v1/me?authorization=" + scheme + "%20" + from + url.QueryEscape(secret) +
			to
	case strings.HasPrefix(secret, "https://"):
		return "curl -X POST " + markSecret(secret)
	}
	return g.expand("GET https://api.corp.example/v1/items/‹d:4›?") + name + "=" + from + url.QueryEscape(secret) + to +
		"&page=2"
}

// cutAt is where summaries of lessons are cut.
const cutAt = 200

// truncated returns a summary that ends within the secret: enough is left to tell what it is,
// and where that is possible it begins in the last 40 characters.
func (k *kind) truncated(g gen, secret string) Item {
	before := "token "
	switch {
	case k.carrier != "":
		before, _, _ = strings.Cut(k.carrier, "{}")
	case !k.bare:
		before = strings.ToLower(k.label) + "="
	}
	least := k.leastLength()
	left := min(len(secret)-1, least+g.IntN(max(1, 38-least)))
	text := ""
	for len(text) < cutAt {
		text += pick(g, words) + " "
	}
	room := cutAt - len(before) - left
	it := Item{
		Text:    text[:room-1] + " " + before + secret[:left],
		Family:  memory.FamilySecret,
		Kind:    k.name,
		Context: "cut",
		Secret:  secret[:left],
	}
	it.Start, it.End = len(it.Text)-len(strings.TrimPrefix(secret[:left], "https://")), len(it.Text)
	return it
}

var words = strings.Fields(
	`use the cache before network calls when tests fail check fixture order first build needs node
twenty and pnpm install retry with smaller batch since api limits apply prefer table driven tests over mocks read config from
env then file avoid global state in workers run migrations before seeding database lock file must be committed keep handler
idempotent because queue redelivers split large diff into steps`,
)

// quoted returns a text as JSON has it. The marks stay.
func quoted(s string) string {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic("audittest: " + err.Error())
	}
	return strings.TrimSuffix(out.String(), "\n")
}
