package kimchi

import (
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"winnow/core/filestore"
)

// mostConfig is how much of a file of settings is read, in bytes.
const mostConfig = 1 << 20

// config returns the file that sets the limits of the notes at path, or nothing.
func (d *dialect) config(path string) string {
	if d.id != Hermes {
		return ""
	}
	return filepath.Join(filepath.Dir(filepath.Dir(path)), "config.yaml")
}

// limits returns how many characters the files beside path may have and which of them
// are injected, and a sentence when the settings cannot be read: the system then takes
// its own numbers.
func (d *dialect) limits(path string) (limits, string) {
	l := limits{memory: defaultMemory, user: defaultUser}
	config := d.config(path)
	if config == "" {
		return l, ""
	}
	text := filestore.Read(config, mostConfig).Text
	if strings.TrimSpace(text) == "" {
		return l, ""
	}
	var settings struct {
		Memory map[string]yaml.Node `yaml:"memory"`
	}
	if err := yaml.Unmarshal([]byte(text), &settings); err != nil {
		return l, "config.yaml cannot be read as YAML: the limits are taken to be " + strconv.Itoa(l.memory) + " and " + strconv.Itoa(l.user) + "."
	}
	why := ""
	for key, limit := range map[string]*int{"memory_char_limit": &l.memory, "user_char_limit": &l.user} {
		node, set := settings.Memory[key]
		if !set {
			continue
		}
		n, err := strconv.Atoi(strings.ReplaceAll(node.Value, "_", ""))
		if err != nil {
			why = "memory." + key + " in config.yaml is no whole number: the limit is taken to be " + strconv.Itoa(*limit) + "."
			continue
		}
		*limit = n
	}
	for key, off := range map[string]*bool{"memory_enabled": &l.noMemory, "user_profile_enabled": &l.noUser} {
		switch strings.ToLower(settings.Memory[key].Value) {
		case "false", "no", "off":
			*off = true
		}
	}
	return l, why
}
