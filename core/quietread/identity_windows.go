package quietread

import "io/fs"

// Identity identifies a file or folder on this machine, whatever its names are.
type Identity struct{ device, number uint64 }

// IdentityOf returns the identity of a file. On Windows it is not known without opening the file.
func IdentityOf(fs.FileInfo) (Identity, bool) { return Identity{}, false }
