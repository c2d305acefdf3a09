package opencode

import (
	"path/filepath"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/systems/instructions"
)

// referredSources returns the files whose text stands in a settings file in place of {file:PATH}, such as
// the prompt of an agent.
func (m machine) referredSources(settings *filestore.File) (all []memory.Source) {
	for _, ref := range fileReference().FindAllStringSubmatch(settings.Text, -1) {
		f := filestore.Read(m.referred(ref[1], filepath.Dir(settings.Path)), instructions.MostFile)
		if f.Missing() {
			continue
		}
		out := f.Source(memory.SourceImport, memory.WhenChosen, "Its text is a part of the settings.")
		out.By = settings.Path
		all = append(all, out)
	}
	return all
}

// mostPlugins limits the entries that are looked at in a folder of plugins.
const mostPlugins = 500

// pluginSources returns the plugins in the .opencode folders of some folders: programs that OpenCode
// runs.
func pluginSources(dirs []string) (all []memory.Source) {
	for _, dir := range dirs {
		for _, name := range []string{"plugin", "plugins"} {
			at := filepath.Join(dir, ".opencode", name)
			entries, _, _ := filestore.Names(at, mostPlugins) // a missing folder has none
			for _, e := range entries {
				if ext := filepath.Ext(e.Name()); ext == ".ts" || ext == ".js" {
					f := filestore.Read(filepath.Join(at, e.Name()), instructions.MostFile)
					all = append(
						all,
						f.Source(memory.SourceHook, memory.Never, "It is a plugin, and is run: its text is not sent."),
					)
				}
			}
		}
	}
	return all
}
