package claudecode

import (
	"context"
	"path"
	"path/filepath"
	"slices"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/systems/instructions"
)

// pluginFolder is the folder with the manifest of a plugin, or of a collection of plugins.
const pluginFolder = ".claude-plugin"

// mostPlugins limits how many plugins below a folder are looked at.
const mostPlugins = 500

// pluginSources returns what the plugins below a folder bring to a session in which they are installed: their
// commands, subagents and skills, and what their hooks run. gap is what was not searched, or empty.
func pluginSources(ctx context.Context, folder string) (all []memory.Source, gap string) {
	manifests := instructions.Below(ctx, folder, instructions.MostEntries, func(rel string, isDir bool) bool {
		isManifest := path.Base(rel) == "plugin.json" || path.Base(rel) == "marketplace.json"
		return !isDir && isManifest && path.Base(path.Dir(rel)) == pluginFolder
	})
	if manifests.Gap != "" || len(manifests.Paths) > mostPlugins {
		gap = "some plugins below " + folder
	}
	p := plugins{folder: folder}
	for _, rel := range manifests.Paths[:min(len(manifests.Paths), mostPlugins)] {
		p.readManifest(ctx, filepath.Join(folder, filepath.FromSlash(rel)))
	}
	return p.all, gap
}

// plugins collects what plugins below a folder bring.
type plugins struct {
	folder string
	all    []memory.Source
}

// readManifest adds what the plugin, or each plugin of the collection, with this manifest brings.
func (p *plugins) readManifest(ctx context.Context, manifest string) {
	dir := filepath.Dir(filepath.Dir(manifest))
	v, _ := instructions.Object(manifest, maxSettings, false) // a broken manifest has no members
	if filepath.Base(manifest) == "plugin.json" {
		p.add(ctx, dir, manifest, v)
		return
	}
	root, list := v.Dig("metadata", "pluginRoot").Str(), v.Dig("plugins")
	for i := range min(list.Len(), mostPlugins) {
		if source := list.At(i).Dig("source").Str(); source != "" { // not in another repository
			p.add(ctx, filepath.Join(dir, filepath.FromSlash(root), filepath.FromSlash(source)), manifest, list.At(i))
		}
	}
}

// add adds the texts in the usual folders of the plugin in dir, and at the paths that its entry in the manifest names.
func (p *plugins) add(ctx context.Context, dir, manifest string, entry jstext.Value) {
	for _, kind := range []string{"commands", "agents", "skills"} {
		for _, name := range append(instructions.Texts(entry.Dig(kind)), kind) {
			at := filepath.Join(dir, filepath.FromSlash(name))
			if !filestore.Within(p.folder, at) {
				continue // what a project names does not lead out of it
			}
			if !filestore.IsFolder(at) {
				p.addText(at, manifest)
				continue
			}
			found := instructions.Below(ctx, at, mostSkills, func(rel string, isDir bool) bool {
				return !isDir && path.Ext(rel) == ".md" && (kind != "skills" || path.Base(rel) == "SKILL.md")
			})
			for _, rel := range found.Paths {
				p.addText(filepath.Join(at, filepath.FromSlash(rel)), manifest)
			}
		}
	}
	hooks := filestore.Read(filepath.Join(dir, "hooks", "hooks.json"), maxSettings)
	if filestore.Within(p.folder, dir) && !hooks.Missing() && !p.has(hooks.Path) {
		p.all = append(p.all, hooks.Source(memory.SourceSettings, memory.Never, notSent))
		p.all = append(p.all, instructions.Programs(&hooks, dir)...)
	}
}

// addText adds a text once, if it is there.
func (p *plugins) addText(file, manifest string) {
	f := filestore.Read(file, maxTopic)
	if f.Missing() || p.has(file) {
		return
	}
	out := f.Source(memory.SourceSkill, memory.WhenChosen, "A session is offered it where the plugin is installed.")
	out.By = manifest
	p.all = append(p.all, out)
}

// has reports whether a file is among what was collected.
func (p *plugins) has(file string) bool {
	return slices.ContainsFunc(p.all, func(s memory.Source) bool { return s.Path == file })
}
