package mcpmemory

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// settingsOfProject are the settings files of agents in a project that name servers, settingsOfUser those in the home.
func settingsOfProject() []string {
	return []string{
		".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", ".gemini/settings.json", ".qwen/settings.json",
		".claude/settings.json", ".claude/settings.local.json", ".codex/config.toml", "opencode.json", "opencode.jsonc",
		".roo/mcp.json", ".kilocode/mcp.json", ".factory/mcp.json", ".junie/mcp/mcp.json", ".kiro/settings/mcp.json",
	}
}

func settingsOfUser() []string {
	return []string{
		".claude.json", ".claude/settings.json", ".cursor/mcp.json", ".gemini/settings.json", ".qwen/settings.json",
		".codex/config.toml", ".config/opencode/opencode.json", ".config/goose/config.yaml",
		".config/Claude/claude_desktop_config.json", "Library/Application Support/Claude/claude_desktop_config.json",
		".codeium/windsurf/mcp_config.json", ".factory/mcp.json", ".kiro/settings/mcp.json",
	}
}

// find implements [system.System.Find]. It looks where the settings of agents say, and where npx keeps the server,
// which without a setting writes beside itself.
func find(ctx context.Context, env system.Env) (survey memory.Survey) {
	add := func(path, settings, project string) {
		for _, file := range named(path) {
			p := place(file, variable+" in "+path)
			p.Project, p.Personal, p.Exists = project, project == "", filestore.Exists(file)
			if project != "" {
				p.NamedBy = settings
			}
			if !slices.ContainsFunc(survey.Places, func(o memory.Place) bool { return o.Path == file }) {
				survey.Found(p)
				survey.Look(file, 1, "")
			}
		}
	}
	if env.Home != "" {
		for _, settings := range settingsOfUser() {
			add(filepath.Join(env.Home, filepath.FromSlash(settings)), settings, "")
		}
		byNpx(ctx, env, &survey)
	}
	if env.Dir == "" {
		return survey
	}
	dir := filestore.Real(env.Dir)
	root := instructions.Root(dir, ".git")
	for _, d := range filestore.Upwards(dir, root) {
		for _, settings := range settingsOfProject() {
			if path := filepath.Join(d, filepath.FromSlash(settings)); d != env.Home {
				add(path, settings, root)
			}
		}
	}
	return survey
}

// byNpx adds the graphs beside the programs that npx keeps.
func byNpx(ctx context.Context, env system.Env, survey *memory.Survey) {
	for _, run := range filestore.Below(fs.FileMode.IsDir, filepath.Join(env.Home, ".npm", "_npx")) {
		file := filepath.Join(run, "node_modules", "@modelcontextprotocol", "server-memory", "dist", "memory.jsonl")
		if ctx.Err() == nil && filestore.Exists(file) {
			p := place(file, "where npx runs the server")
			p.Personal, p.Exists = true, true
			survey.Found(p)
			survey.Look(file, 1, "")
		}
	}
}

// named returns the files that a settings file of an agent names. A path that is not absolute is one below the
// folder of the server, which is not known.
func named(path string) (files []string) {
	f := filestore.Read(path, instructions.MostFile)
	if f.Problem != nil || !strings.Contains(f.Text, variable) {
		return nil
	}
	var all any
	switch filepath.Ext(path) {
	case ".toml":
		if toml.Unmarshal([]byte(f.Text), &all) != nil {
			return nil
		}
	case ".yaml":
		if yaml.Unmarshal([]byte(f.Text), &all) != nil {
			return nil
		}
	default:
		v, _ := instructions.Object(path, instructions.MostFile, true)
		return inObject(v, nil)
	}
	return inValue(all, nil)
}

// mostNamed limits the files that one settings file names.
const mostNamed = 50

// inObject adds the files that a JSON value names at any depth.
func inObject(v jstext.Value, files []string) []string {
	isObject := v.Kind() == jstext.Object
	for i := 0; (isObject || v.Kind() == jstext.Array) && i < v.Len() && len(files) < mostNamed; i++ {
		if file := v.At(i).Str(); isObject && v.Key(i) == variable && filepath.IsAbs(file) {
			files = memory.AppendNew(files, filepath.Clean(file))
		}
		files = inObject(v.At(i), files)
	}
	return files
}

// inValue adds the files that a value of TOML or YAML names at any depth.
func inValue(v any, files []string) []string {
	switch v := v.(type) {
	case map[string]any:
		if file, is := v[variable].(string); is && filepath.IsAbs(file) && len(files) < mostNamed {
			files = memory.AppendNew(files, filepath.Clean(file))
		}
		for _, in := range v {
			files = inValue(in, files)
		}
	case []any:
		for _, in := range v {
			files = inValue(in, files)
		}
	}
	slices.Sort(files)
	return files
}

// looks reports whether the beginning of a file is that of a graph.
func looks(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	return bytes.HasPrefix(line, []byte(`{"type":"entity","name":`)) || bytes.HasPrefix(line, []byte(`{"type":"relation","from":`))
}

// isGraph reports whether the file at a path is a graph.
func isGraph(path string) bool {
	f := filestore.Read(path, 4<<10)
	return f.Problem == nil && looks([]byte(f.Text))
}

// reads implements [system.System.Reads].
func reads(path string) (memory.Place, bool) {
	if !isGraph(path) {
		return memory.Place{}, false
	}
	p := place(path, "named")
	p.Exists = true
	return p, true
}

// storesIn implements [system.System.StoresIn].
func storesIn(dir string, entries []fs.DirEntry) (all []memory.Place) {
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if filepath.Ext(path) == ".jsonl" && e.Type().IsRegular() && isGraph(path) {
			p := place(path, "found below")
			p.Exists = true
			all = append(all, p)
		}
	}
	return all
}

// sources implements [system.System.Sources]: a model reads the graph by tools, if it chooses to.
func sources(ctx context.Context, env system.Env, _ bool) (all []memory.AgentSources) {
	a := memory.AgentSources{System: id, Agent: "MCP memory"}
	survey := find(ctx, env)
	for _, p := range survey.Places {
		f := filestore.Read(p.Path, instructions.MostFile)
		out := f.Source(memory.SourceMemoryTopic, memory.WhenChosen, "An agent reads it by the tools of the server.")
		out.By = p.NamedBy
		a.List = append(a.List, out)
	}
	if len(a.List) == 0 {
		return nil
	}
	return []memory.AgentSources{a}
}

// Forms returns the forms of its files.
func Forms() []system.Form {
	return []system.Form{{
		System: id, Name: "memory graph", Looks: looks, Lines: true,
		Named: system.Named("memory.jsonl", "memory.json", "mcp-memory*.jsonl"), Both: true,
	}}
}
