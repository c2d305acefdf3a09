package zstd

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

const window = 8 << 20

func unpack(data []byte, maxWindow int) ([]byte, error) {
	return io.ReadAll(NewReader(bytes.NewReader(data), maxWindow))
}

func load(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestFilesOfTheReferenceAreRead that zstd 1.5.4 wrote: with and without a checksum, with one stream of
// literals and four, with distances beyond a block, and as repeated bytes.
func TestFilesOfTheReferenceAreRead(t *testing.T) {
	text := sha256.Sum256(load(t, "text.txt"))
	as := sha256.Sum256(bytes.Repeat([]byte("a"), 300_000))
	for name, want := range map[string]string{
		"text.1.zst": hex.EncodeToString(text[:]), "text.22.zst": hex.EncodeToString(text[:]),
		"repeated.zst": hex.EncodeToString(as[:]),
		"long.5.zst":   "8223d2e5cd5c3c4817e1bf0d2ea6093cba3224df4659f7544e3788e3f0ed09a0",
	} {
		got, err := unpack(load(t, name), window)
		if sum := sha256.Sum256(got); err != nil || hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s: %d bytes of another text, %v", name, len(got), err)
		}
	}
}

func TestFramesFollowEachOther(t *testing.T) {
	skipped := "\x51\x2a\x4d\x18\x03\x00\x00\x00abc"
	data := skipped + string(load(t, "text.1.zst")) + skipped + string(load(t, "text.22.zst"))
	got, err := unpack([]byte(data), window)
	if text := string(load(t, "text.txt")); err != nil || string(got) != text+text {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestDamageIsNoticed wherever a file ends, and whichever bit is wrong.
func TestDamageIsNoticed(t *testing.T) {
	text, data := load(t, "text.txt"), load(t, "text.1.zst")
	for n := 0; n < len(data); n += 1 + n/64 {
		if _, err := unpack(data[:n], window); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
	for i := 0; i < 8*len(data); i += 1 + i/256 {
		wrong := bytes.Clone(data)
		wrong[i/8] ^= 1 << (i % 8)
		if got, err := unpack(wrong, window); err == nil && !bytes.Equal(got, text) {
			t.Fatalf("bit %d: read as another text", i)
		}
	}
}

func TestWhatIsNoStreamIsRefused(t *testing.T) {
	for name, data := range map[string]string{
		"nothing": "", "text": "plain text", "a reserved bit": "\x28\xb5\x2f\xfd\x28\x00\x01\x00\x00",
		"a dictionary":         "\x28\xb5\x2f\xfd\x21\x07\x00\x01\x00\x00",
		"a reserved block":     "\x28\xb5\x2f\xfd\x20\x00\x07\x00\x00",
		"a size that is wrong": "\x28\xb5\x2f\xfd\x20\x02\x09\x00\x00a",
	} {
		if got, err := unpack([]byte(data), window); err == nil {
			t.Errorf("%s is read as %q", name, got)
		}
	}
	if _, err := unpack(load(t, "long.5.zst"), 1<<20); err == nil || !strings.Contains(err.Error(), "window") {
		t.Errorf("a large window is read: %v", err)
	}
}

func FuzzReader(f *testing.F) {
	for _, name := range []string{"text.1.zst", "text.22.zst", "repeated.zst"} {
		f.Add(load(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = io.Copy(io.Discard, io.LimitReader(NewReader(bytes.NewReader(data), 1<<20), 16<<20))
	})
}
