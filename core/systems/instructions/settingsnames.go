package instructions

import (
	"context"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"winnow/core/filestore"
	"winnow/core/jstext"
)

// mostNamed limits how many texts of one settings file are followed.
const mostNamed = 200

// namedTexts returns the files of a project that a settings file in it names as texts which the agent reads at
// every start. What lies outside of the project is left out.
func namedTexts(ctx context.Context, root string, settings *filestore.File, gap *string) (paths []string) {
	for _, name := range textsNamed(settings) {
		path := filepath.Clean(filepath.FromSlash(name))
		if !filepath.IsAbs(path) {
			path = filepath.Join(root, path)
		}
		if path == root || !filestore.Within(root, path) {
			continue
		}
		if !filestore.IsFolder(path) {
			if filestore.Exists(path) && len(paths) < mostNamed {
				paths = append(paths, path)
			}
			continue
		}
		found := Below(ctx, path, mostOfOthers, func(_ string, isDir bool) bool { return !isDir })
		if found.Gap != "" || len(paths)+len(found.Paths) > mostNamed {
			*gap = "some files in " + name
		}
		for _, rel := range found.Paths[:min(len(found.Paths), mostNamed-len(paths))] {
			paths = append(paths, filepath.Join(path, filepath.FromSlash(rel)))
		}
	}
	return paths
}

// textsNamed returns the names of files and folders in the setting that Aider has for texts. Other settings files
// name none.
func textsNamed(settings *filestore.File) (names []string) {
	var conf struct{ Read yaml.Node }
	if filepath.Base(settings.Path) != ".aider.conf.yml" || yaml.Unmarshal([]byte(settings.Text), &conf) != nil {
		return nil
	}
	for _, n := range append(conf.Read.Content, &conf.Read) {
		if n.Kind == yaml.ScalarNode {
			names = append(names, n.Value)
		}
	}
	return slices.DeleteFunc(names, isEmpty)
}

// Texts returns the texts of a setting that is one text or a list of them.
func Texts(v jstext.Value) (texts []string) {
	texts = append(texts, v.Str())
	for i := 0; v.Kind() == jstext.Array && i < v.Len(); i++ {
		texts = append(texts, v.At(i).Str())
	}
	return slices.DeleteFunc(texts, isEmpty)
}

func isEmpty(text string) bool { return text == "" }
