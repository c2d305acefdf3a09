package watch

import "syscall"

// isRemote reports whether dir is on a file system that other machines can change without an event
// here. The numbers are from statfs(2).
func isRemote(dir string) bool {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return false
	}
	switch uint32(st.Type) {
	case 0x6969, // NFS
		0x517B, 0xFE534D42, 0xFF534D42, // SMB, SMB2, CIFS
		0x65735546, // FUSE: sshfs, rclone and the like
		0x01021997, // 9P: virtual machines, WSL
		0x5346414F, // AFS
		0x00C36400, // Ceph
		0x786F4256: // shared folders of VirtualBox
		return true
	}
	return false
}
