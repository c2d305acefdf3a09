// Package detect finds what must not be shared and what must not be believed in a text:
//
//   - secrets ([Secrets], [SecretsInLine], and copies of known ones by [KnownSecrets]);
//   - text that acts on the model or the person that reads it ([Flags]): instructions to a
//     model, imitated delimiters and roles, harmful commands, characters that nobody sees;
//     and what breaks out of the block of a prompt that it is rendered into ([Breakouts]);
//   - private data ([PII]): home folders and user names, e-mail addresses, hosts and
//     addresses of private networks, ids of sessions.
//
// [Rules] lists every rule. All matchers are written by hand and take time linear in the
// text: a text is first searched for the literals that rules name, and what is exact is
// asked only near one. Nothing here changes a text but [Redact] and [ShortenHomes].
//
// Texts are strings of package jstext.
package detect
