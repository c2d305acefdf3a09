// Package gemini knows what Gemini CLI keeps: the files of instructions of projects and of the user, the private
// memory of a project, and its sessions. docs/systems/gemini.md has the facts about the first two.
//
// Gemini CLI 0.61.0 was run against a model that plays a script, and its bundle was read. What it
// writes:
//
//   - A session is tmp/PROJECT/chats/session-TIME-ID.jsonl below ~/.gemini, or the home that
//     GEMINI_CLI_HOME names; that of a subagent lies one folder deeper, named by its parent. PROJECT is
//     the name of the project's folder, and .project_root in it holds the path. Versions before used the
//     SHA-256 of the path, and one JSON object in a file .json.
//   - A line is an object: the head (sessionId, projectHash, startTime, kind), a message (id, type user,
//     gemini, info, warning or error), {"$set": ...}, which may replace all messages, or {"$rewindTo": id},
//     which takes that message and all after it back. A message whose id comes again replaces the first.
//   - A message of the model is written without its calls, and again with them once they ended. So the end
//     of a turn is a message with text and without calls; one without both is a call that did not return.
//   - A resumed session goes on in its file, behind a second head and {"$set": {"sessionId": ...}}.
//   - When the model refuses a request, {"$set": {"messages": ...}} takes the request back; when the person
//     stops the work on one, it takes the calls after it back too.
//   - Nothing says that a session ended, and an interrupt or a kill that ends the program leaves no mark:
//     such a session is unknown. Text in front of a call that never returned looks like an answer.
//   - The version is not written. The first message of role user is a context with the files of
//     instructions word for word; hooks add <hook_context>.
package gemini

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/session"
	"winnow/core/system"
)

// id is the name of the system.
const id memory.SystemID = "gemini"

// System returns the system on a machine. now is used to decide when a session counts as silent.
func System(machine system.Env, now func() time.Time) system.System {
	s := agent().System(machine, now)
	s.Variables = []memory.Fact{{Name: homeVariable, Text: "the folder that holds .gemini, your home otherwise"}}
	s.Forms, s.Sessions = Forms(), sessions
	s.Session = func(ctx context.Context, _ system.Env, head session.Head) (session.Session, error) {
		return read(ctx, head, now())
	}
	return s
}

// projects returns the folder that has one subfolder per project.
func projects(env system.Env) string { return filepath.Join(homeOf(env), "tmp") }

// mostHeads is the number of sessions listed at most.
const mostHeads = 5000

// sessions implements [system.System.Sessions].
func sessions(ctx context.Context, env system.Env, folder string) (heads []session.Head, err error) {
	sum := sha256.Sum256([]byte(folder))
	for _, project := range filestore.Below(fs.FileMode.IsDir, projects(env)) {
		root, chats := rootOf(project), filepath.Join(project, "chats")
		if root == "" && filepath.Base(project) == hex.EncodeToString(sum[:]) {
			root = folder
		}
		subagents := filestore.Below(fs.FileMode.IsDir, chats)
		files := filestore.Below(fs.FileMode.IsRegular, append([]string{chats}, subagents...)...)
		for _, path := range files {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if ext := filepath.Ext(path); ext != ".jsonl" && (ext != ".json" || slices.Contains(files, path+"l")) ||
				len(heads) == mostHeads {
				continue
			}
			h := session.Head{System: id, Path: path, Folder: root, Subagent: filepath.Dir(path) != chats}
			if headOf(&h) && h.In(folder) {
				heads = append(heads, h)
			}
		}
	}
	return heads, nil
}

// headOf fills in what the name and the beginning of a file say. It returns false for a file that
// cannot be read.
func headOf(h *session.Head) bool {
	f, err := quietread.Open(h.Path)
	if err != nil {
		return false
	}
	defer f.Close() // nothing is lost: it was only read
	h.Changed, h.Size = f.Info.ModTime(), f.Info.Size()
	h.ID = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(h.Path), ".json"), ".jsonl")
	b, _, _ := f.ReadAtMost(4 << 10) // what could be read
	if id := idIn(string(b)); id != "" {
		h.ID = id
	}
	return true
}
