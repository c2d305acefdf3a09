package quietread

import (
	"io/fs"
	"os"
)

func openQuietly(path string) (*os.File, error) { return os.Open(path) }

func isSparse(fs.FileInfo) bool { return false }

func nextData(_ *os.File, off, _ int64) int64 { return off }
