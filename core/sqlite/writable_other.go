//go:build !unix

package sqlite

import "os"

// allowed reports whether a file is not marked as read-only.
func allowed(path string) bool {
	info, err := os.Stat(path)
	return err == nil && (info.IsDir() || info.Mode()&0o200 != 0)
}
