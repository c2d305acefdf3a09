package share

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// formVersion is the format that this program writes. It reads older ones too, and raises a share to this one
// with the next commit. In format 1 each machine had a file counts/<machine>.json; such files stay as they
// are, and nothing reads them.
const formVersion = 2

// Settings is share.toml.
type Settings struct {
	Version int `toml:"version"`
	// ExpiryDays is how long a deletion is kept; 0 means 180 days.
	ExpiryDays int `toml:"expiry_days"`
}

// Expiry is how long a tombstone is kept.
func (s Settings) Expiry() time.Duration {
	days := s.ExpiryDays
	if days == 0 {
		days = 180
	}
	return time.Duration(days) * 24 * time.Hour
}

// mostDays is the upper limit of ExpiryDays.
const mostDays = 3650

// readSettings parses share.toml. A newer version or an unknown key is an error.
func readSettings(data []byte) (Settings, error) {
	var first struct {
		Version int `toml:"version"`
	}
	if err := toml.Unmarshal(data, &first); err != nil {
		return Settings{}, fmt.Errorf("read %s: %w", SettingsFile, err)
	}
	if first.Version > formVersion {
		return Settings{}, fmt.Errorf(
			"read %s: the share has format %d, and this Winnow knows up to %d: update Winnow",
			SettingsFile,
			first.Version,
			formVersion,
		)
	}
	var s Settings
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&s)
	var unknown *toml.StrictMissingError
	switch {
	case errors.As(err, &unknown):
		err = fmt.Errorf("unknown key %s", unknown.Errors[0].Key()[0])
	case err == nil && s.Version < 1:
		err = fmt.Errorf("version: want 1 to %d", formVersion)
	case err == nil && (s.ExpiryDays < 0 || s.ExpiryDays > mostDays):
		err = fmt.Errorf("expiry_days: want 1 to %d", mostDays)
	}
	if err != nil {
		return Settings{}, fmt.Errorf("read %s: %w", SettingsFile, err)
	}
	return s, nil
}

const readme = `# Shared lessons

What coding agents learnt, shared by the machines of a person or a team through git. Winnow writes these
files: ` + "`winnow sync join`" + ` takes part, ` + "`winnow sync`" + ` brings both sides together.

- ` + "`lessons/`" + `: one file per lesson or note. Review and edit them here as any other text.
- ` + "`tombstones/`" + `: what a person deleted. Each expires, see ` + "`share.toml`" + `.
- ` + "`share.toml`" + `: the format version, how long deletions are kept.
`

// Start returns the files of a new share, by path.
func Start() map[string][]byte {
	return map[string][]byte{
		readmeFile:   []byte(readme),
		SettingsFile: Settings{Version: formVersion, ExpiryDays: 180}.bytes(),
	}
}

// bytes returns share.toml.
func (s Settings) bytes() []byte {
	return fmt.Appendf(nil, "version = %d\nexpiry_days = %d\n", s.Version, s.ExpiryDays)
}
