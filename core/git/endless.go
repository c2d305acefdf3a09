package git

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// endless returns the failure of git in dir if a file that git reads first is a pipe or a device: git would
// wait for ever. These are its settings, and what lies on the way from the work tree's top to dir.
func endless(ctx context.Context, dir string, args []string) error {
	paths := settingsFiles(ctx)
	if top := Root(dir); top != "" {
		for _, name := range []string{".git", ".git/config", ".git/HEAD", ".git/info/exclude", ".gitattributes"} {
			paths = append(paths, filepath.Join(top, name))
		}
		for at := dir; ; at = filepath.Dir(at) {
			paths = append(paths, filepath.Join(at, ".gitignore"))
			if at == top || at == filepath.Dir(at) {
				break
			}
		}
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && isEndless(path, info.Mode()) {
			return &Failure{Command: command(args), Status: -1, Said: "fatal: " + path + noFile}
		}
	}
	return nil
}

// isEndless reports whether a file is a pipe or a device. The null device, with which a person turns
// settings off, ends at once.
func isEndless(path string, mode fs.FileMode) bool {
	if mode&(fs.ModeNamedPipe|fs.ModeDevice) == 0 || path == os.DevNull {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	return err != nil || real != os.DevNull
}

// settingsFiles returns the files with settings for all repositories that git reads in this environment.
func settingsFiles(ctx context.Context) (paths []string) {
	home, own := variable(ctx, "HOME"), variable(ctx, "XDG_CONFIG_HOME")
	if own == "" && home != "" {
		own = filepath.Join(home, ".config")
	}
	if own != "" {
		paths = append(paths, filepath.Join(own, "git", "ignore"), filepath.Join(own, "git", "attributes"))
	}
	switch global := variable(ctx, "GIT_CONFIG_GLOBAL"); {
	case global != "":
		paths = append(paths, global)
	default:
		if own != "" {
			paths = append(paths, filepath.Join(own, "git", "config"))
		}
		if home != "" {
			paths = append(paths, filepath.Join(home, ".gitconfig"))
		}
	}
	if system := variable(ctx, "GIT_CONFIG_SYSTEM"); system != "" {
		paths = append(paths, system)
	} else if runtime.GOOS != "windows" {
		paths = append(paths, "/etc/gitconfig")
	}
	return paths
}

// lookBelow looks for a pipe or a device that is called .gitignore in the folders below dir, while a git
// runs that lists them, and ends git when it finds one.
func (l *listener) lookBelow(ctx context.Context, dir string) {
	go func() {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return fs.SkipAll
			case err != nil:
				return nil // git says it
			case d.IsDir() && d.Name() == ".git":
				return fs.SkipDir
			case d.Name() == ".gitignore" && isEndless(path, d.Type()):
				l.pipe.Store(&path)
				l.cancel()
				return fs.SkipAll
			}
			return nil
		})
	}()
}
