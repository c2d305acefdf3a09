package quietread

import "io/fs"

// Names returns how many names (hard links) a file has, and what tells it from other files
// of its file system. Here nobody says without opening it.
func Names(fs.FileInfo) (n int, number uint64) { return 1, 0 }
