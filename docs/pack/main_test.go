package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func write(t *testing.T, at string, data string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte(data), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestSameFilesGiveTheSameBytes(t *testing.T) {
	var archives [2][2][]byte
	for i := range archives {
		dir := t.TempDir()
		names := []string{"program/winnow", "shared/README.md", "shared/licences/a/LICENSE"}
		if i == 1 {
			slices.Reverse(names)
		}
		for _, name := range names {
			write(t, filepath.Join(dir, name), "what is in "+name)
		}
		for j, form := range []string{"a.tar.gz", "a.zip"} {
			to := filepath.Join(t.TempDir(), form)
			err := run([]string{"1700000000", to, filepath.Join(dir, "program"), filepath.Join(dir, "shared")})
			if err != nil {
				t.Fatal(err)
			}
			archives[i][j], _ = os.ReadFile(to)
		}
	}
	for j, form := range []string{"tar.gz", "zip"} {
		if len(archives[0][j]) == 0 || !bytes.Equal(archives[0][j], archives[1][j]) {
			t.Errorf("%s: %d bytes and %d bytes that differ", form, len(archives[0][j]), len(archives[1][j]))
		}
	}
}

func TestBothFormsHoldTheSame(t *testing.T) {
	files := []file{{"winnow/README.md", 0o644, []byte("read me")}, {"winnow/winnow", 0o755, []byte("program")}}
	at := time.Unix(1700000000, 0).UTC()
	packed, err := tarred(files, at)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(plain)
	for _, want := range files {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(r)
		if h.Name != want.name || h.FileInfo().Mode() != want.mode || !bytes.Equal(data, want.data) ||
			!h.ModTime.Equal(at) ||
			h.Uid != 0 {
			t.Errorf("tar: %+v with %q, want %+v", h, data, want)
		}
	}
	packed, err = zipped(files, at)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil || len(z.File) != len(files) {
		t.Fatalf("zip: %v, %d files", err, len(z.File))
	}
	for i, want := range files {
		f, err := z.File[i].Open()
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(f)
		if z.File[i].Name != want.name || z.File[i].Mode() != want.mode || !bytes.Equal(data, want.data) ||
			!z.File[i].Modified.Equal(at) {
			t.Errorf("zip: %+v with %q, want %+v", z.File[i].FileHeader, data, want)
		}
	}
}
