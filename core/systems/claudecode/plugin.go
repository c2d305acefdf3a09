package claudecode

import "cmp"

// pluginSettings are the settings of the plugin of Claude Code's own that reads AGENTS.md, as requests of
// 2.1.332 showed them.
type pluginSettings struct {
	on    *bool  // nil where no settings say so
	files string // which files are read, one of those below; anything else means the usual
}

// Values of instructionFiles.
const (
	bothFiles   = "claude-md-and-agents-md"
	claudeFiles = "claude-md"
	managedOnly = "managed-only" // and the files of folders below, with a read
)

// pluginNames are the names that the plugin has in settings.
var pluginNames = [...]string{"agents-md@builtin", "cc-plugin-agents-md@builtin"}

// switchBy takes over from enabledPlugins whether the plugin is on, unless a file of higher precedence says so.
func (p *pluginSettings) switchBy(enabled any) {
	switches, _ := enabled.(map[string]any)
	for _, name := range pluginNames {
		if on, said := switches[name].(bool); said && p.on == nil {
			p.on = &on
		}
	}
}

// configure takes over the options of the plugin from pluginConfigs. Only those of the user count.
func (p *pluginSettings) configure(configs any) {
	all, _ := configs.(map[string]any)
	for _, name := range pluginNames {
		config, _ := all[name].(map[string]any)
		options, _ := config["options"].(map[string]any)
		files, _ := options["instructionFiles"].(string)
		if options["projectInstructions"] == "both" { // an older option
			files = cmp.Or(files, bothFiles)
		}
		p.files = cmp.Or(p.files, files)
	}
}

// isOff reports whether the plugin is switched off.
func (p *pluginSettings) isOff() bool { return p.on != nil && !*p.on }

// readsBoth reports whether AGENTS.md is read beside CLAUDE.md.
func (p *pluginSettings) readsBoth() bool { return !p.isOff() && p.files == bothFiles }

// readsManaged reports whether a session starts with the files of the administrator alone.
func (p *pluginSettings) readsManaged() bool { return !p.isOff() && p.files == managedOnly }

// noAgents returns a sentence that says why AGENTS.md is not read, or "".
func (p *pluginSettings) noAgents() string {
	switch {
	case p.isOff():
		return "The plugin agents-md, which reads it, is switched off in the settings."
	case p.files == claudeFiles, p.files == managedOnly:
		return "The plugin agents-md does not read it: instructionFiles is " + p.files + " in the user's settings."
	}
	return ""
}

// leaveOutAtStart leaves out what a session that starts with the files of the administrator alone is not given.
// Rules that wait for a file still come with it.
func (c *chain) leaveOutAtStart() {
	for _, d := range c.docs {
		if d.start && d.layer != layerManaged {
			d.start, d.unseen = false, true
			d.why = "The plugin agents-md leaves it out: " +
				"instructionFiles is " + managedOnly + " in the user's settings."
		}
	}
}
