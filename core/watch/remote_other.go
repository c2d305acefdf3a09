//go:build !linux

package watch

// isRemote always returns false: the file system is unknown here, and the check every few seconds
// finds what events miss.
func isRemote(string) bool { return false }
