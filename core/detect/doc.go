// Package detect finds text that must not be shared or must not be trusted:
//
//   - secrets: [Secrets], [SecretsInLine], and copies of known secrets with a [TextSet];
//   - injected and hidden text that acts on the model or the person reading it ([Flags]), and text
//     that breaks out of its block in a prompt ([Breakouts]);
//   - private data such as home folders, e-mail addresses and private hosts ([PII]).
//
// # How a text becomes findings
//
//  1. Decode. A secret or an order may be base64, percent-encoded, escaped, or split by invisible
//     characters. decode.go yields the text and then one decoded layer at a time (encodings.go
//     knows each encoding); every result is mapped back to the original bytes.
//  2. Prefilter. One pass over each layer looks for the literals that rules name (prefilter.go).
//     Most offsets are ruled out by two bit lookups. Characters that are not plain text are found
//     eight bytes at a time (unusual_runes.go).
//  3. Check the text near a literal. For secrets (secret_scan.go) that is the form of a token
//     (token_form.go), the value of a name such as "api_key" (named_secrets.go) or a special matcher
//     (secret_matchers.go). For flags (flags.go) it is a textbook line (textbook.go), a shape of a
//     sentence (sentence.go), a shell command (commands.go), markup (markup.go) or a setting (settings.go).
//  4. Reject what only looks like a match: placeholders, words and low entropy (secret_checks.go);
//     instructions that are quoted, negated or discussed (context.go).
//  5. Return one sorted list of spans with rule IDs. Overlapping matches of a rule become one.
//
// # Where to find the data
//
// Rules are data: secret_rules.go and secret_services.go for secrets, rules.go for injections,
// textbook.go for textbook lines, sentence_words.go for the shapes of sentences and their words.
// text.go has the helpers that all detectors share. [Rules] lists all rules; their IDs never change,
// because baselines refer to them.
//
// All matchers take time linear in the text. No function changes a text except [Redact], [Replace],
// [RedactOriginal] and [ShortenHomes]. Texts are strings of package jstext, which may hold lone
// surrogates.
package detect
