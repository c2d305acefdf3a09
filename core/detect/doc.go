// Package detect finds text that must not be shared or must not be trusted:
//
//   - secrets: [Secrets], [SecretsInLine], and copies of known secrets with [KnownSecrets];
//   - text that acts on the model or the person reading it ([Flags]): instructions to a model,
//     imitated delimiters and roles, harmful commands, invisible characters; and text that breaks
//     out of the block of a prompt that it is rendered into ([Breakouts]);
//   - private data ([PII]): home folders and user names, e-mail addresses, hosts and addresses of
//     private networks, session IDs.
//
// [Rules] lists every rule. All matchers are written by hand and take time linear in the text: a
// first pass searches for the literals that rules name, and exact checks run only near a literal.
// Only [Redact] and [ShortenHomes] change a text.
//
// The input texts are strings of package jstext.
package detect
