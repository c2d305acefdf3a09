package audittest

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"strconv"
	"strings"
)

const (
	digits  = "0123456789"
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower   = "abcdefghijklmnopqrstuvwxyz"
	letters = upper + lower
	base62  = digits + letters
)

// alphabets are the letters that stand for them in a shape.
var alphabets = map[byte]string{
	'd': digits, 'w': base62, 'l': letters, 'm': lower, 'h': digits + "abcdef", 'H': digits + "ABCDEF",
	'A': upper + digits, 'a': lower + digits, '2': upper + "234567", 'b': base62 + "+/", 'u': base62 + "-_",
	'x': "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 'p': base62 + "!@#%^*",
}

// gen draws what the texts are made of.
type gen struct{ *rand.Rand }

// draw draws n characters of an alphabet.
func (g gen) draw(alphabet string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[g.IntN(len(alphabet))]
	}
	return string(out)
}

func pick[T any](g gen, list []T) T { return list[g.IntN(len(list))] }

// expand fills in a shape. ‹w:36› is 36 characters of the alphabet w, ‹one|two› one of
// the words, and "·" nothing: it keeps a prefix apart in this source. ‹sum:30› is 30
// characters and the checksum that GitHub and npm put behind them.
func (g gen) expand(shape string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(shape, "‹")
		out.WriteString(strings.ReplaceAll(before, "·", ""))
		if !found {
			return out.String()
		}
		what, after, _ := strings.Cut(rest, "›")
		out.WriteString(g.part(what))
		shape = after
	}
}

func (g gen) part(what string) string {
	if strings.Contains(what, "|") {
		return strings.ReplaceAll(pick(g, strings.Split(what, "|")), "·", "")
	}
	class, count, _ := strings.Cut(what, ":")
	n, err := strconv.Atoi(count)
	switch {
	case what == "uuid":
		return g.expand("‹h:8›-‹h:4›-4‹h:3›-a‹h:3›-‹h:12›")
	case err != nil:
		panic("audittest: a shape has ‹" + what + "›")
	case class == "sum":
		body := g.draw(base62, n)
		return body + checksum(body)
	}
	return g.draw(alphabets[class[0]], n)
}

// checksum is a CRC-32 in 6 digits of base 62.
func checksum(body string) string {
	out := []byte("000000")
	for i, n := 5, crc32.ChecksumIEEE([]byte(body)); n > 0; i, n = i-1, n/62 {
		out[i] = base62[n%62]
	}
	return string(out)
}

func (g gen) bytes(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(g.IntN(256))
	}
	return out
}

// pem draws a private key of some lines.
func (g gen) pem(label string, lines int) string {
	var out strings.Builder
	out.WriteString("-----" + "BEGIN " + label + "-----\n")
	for range lines {
		out.WriteString(g.draw(alphabets['b'], 64) + "\n")
	}
	out.WriteString(g.draw(alphabets['b'], 38) + "==\n-----" + "END " + label + "-----")
	return out.String()
}

// jwt draws a signed token.
func (g gen) jwt() string {
	part := base64.RawURLEncoding.EncodeToString
	body := g.expand(`{"sub":"‹d:10›","name":"‹w:8›","iat":17‹d:8›,"scope":"‹m:12›"}`)
	return part([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + part([]byte(body)) + "." + g.draw(alphabets['u'], 43)
}

// seed draws a NATS seed of a role: a byte for "seed" and one for the role, 32 random
// bytes and a CRC-16, in base 32.
func (g gen) seed(role byte) string {
	const seed = 18 << 3
	raw := append([]byte{seed | role>>5, role & 31 << 3}, g.bytes(32)...)
	crc := uint16(0)
	for _, b := range raw {
		crc ^= uint16(b) << 8
		for range 8 {
			carry := crc&0x8000 != 0
			if crc <<= 1; carry {
				crc ^= 0x1021
			}
		}
	}
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(binary.LittleEndian.AppendUint16(raw, crc))
}
