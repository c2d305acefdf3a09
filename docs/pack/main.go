// Pack writes what is in some folders into an archive, below the folder winnow, and prints the
// archive's SHA-256 as sha256sum does. The same files give the same bytes: they are sorted, belong to
// nobody, and all have the time that is given in seconds since 1970.
//
//	go run ./docs/pack TIME ARCHIVE.tar.gz|ARCHIVE.zip FOLDER...
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 3 {
		return errors.New("usage: pack TIME ARCHIVE FOLDER [FOLDER]")
	}
	seconds, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return err
	}
	files, err := read(args[2:])
	if err != nil {
		return err
	}
	write := tarred
	if strings.HasSuffix(args[1], ".zip") {
		write = zipped
	}
	data, err := write(files, time.Unix(seconds, 0).UTC())
	if err != nil {
		return err
	}
	fmt.Printf("%x  %s\n", sha256.Sum256(data), filepath.Base(args[1]))
	return os.WriteFile(args[1], data, 0o644)
}

// file is a file of the archive. All can be read by everybody, and programs be run.
type file struct {
	name string
	mode fs.FileMode
	data []byte
}

// read returns the files below some folders, sorted.
func read(dirs []string) (files []file, err error) {
	for _, dir := range dirs {
		err = errors.Join(err, filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(at)
			below, relErr := filepath.Rel(dir, at)
			f := file{path.Join("winnow", filepath.ToSlash(below)), 0o644, data}
			if f.name == "winnow/winnow" || f.name == "winnow/winnow.exe" {
				f.mode = 0o755
			}
			files = append(files, f)
			return errors.Join(err, relErr)
		}))
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return files, err
}

func tarred(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	packed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w := tar.NewWriter(packed)
	for _, f := range files {
		err = errors.Join(
			err,
			w.WriteHeader(&tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: at}),
		)
		_, writeErr := w.Write(f.data)
		err = errors.Join(err, writeErr)
	}
	err = errors.Join(err, w.Close(), packed.Close())
	return b.Bytes(), err
}

func zipped(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	var err error
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode)
		to, fileErr := w.CreateHeader(h)
		if fileErr == nil {
			_, fileErr = to.Write(f.data)
		}
		err = errors.Join(err, fileErr)
	}
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}
