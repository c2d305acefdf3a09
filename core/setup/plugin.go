package setup

import (
	"strings"

	"winnow/core/jstext"
)

// plugin is a program file that an agent without hooks loads. Everything between two marker lines
// is ours.
type plugin struct{}

const (
	pluginName  = "winnow.ts"
	pluginBegin = "// >>> winnow >>>\n"
	pluginEnd   = "// <<< winnow <<<\n"
	pluginStart = "const winnow = "
)

func (plugin) find(text string) ([]found, error) {
	at := strings.Index(text, pluginBegin)
	if at < 0 {
		return nil, nil
	}
	if !strings.Contains(text[at:], pluginEnd) {
		return nil, errForm
	}
	end := at + strings.Index(text[at:], pluginEnd)
	start := strings.Index(text[at:end], "\n"+pluginStart)
	if start < 0 {
		return nil, errForm
	}
	start += at + len("\n"+pluginStart)
	spelled, _, _ := strings.Cut(text[start:end], "\n")
	e := found{Entry: Entry{Program: jstext.Text(spelled)}, at: start, end: start + len(spelled)}
	both := []found{e, e}
	both[0].Name, both[1].Name = Recall, Learn
	return both, nil
}

// cut removes everything of ours: the two entries are one program.
func (plugin) cut(text string, _ found) (string, error) {
	before, rest, _ := strings.Cut(text, pluginBegin)
	_, after, _ := strings.Cut(rest, pluginEnd)
	return before + after, nil
}

func (plugin) add(text, _, program string) (string, error) {
	if text != "" { // somebody else's file with our name
		return "", errForm
	}
	return pluginBegin + pluginStart + quoted(program) + "\n" + pluginText + pluginEnd, nil
}

func (plugin) programText(_, program string) string { return quoted(program) }

func (plugin) whyIgnored(string, string) []string { return nil }

// pluginText gives the model what the recall hook answers to the last message of a session, and
// passes a session on when it is idle. It starts no shell, waits at most 5 s, and fails silently.
const pluginText = `// Written by "winnow setup opencode"; "winnow setup opencode --remove" takes it out.
import { spawn } from "node:child_process"

const call = (args: string[], input: object) =>
  new Promise<string>((done) => {
    try {
      const child = spawn(winnow, ["agent-hook", ...args, "--agent", "opencode"], { stdio: ["pipe", "pipe", "ignore"], timeout: 5000 })
      let out = ""
      child.on("error", () => done(""))
      child.on("close", (code) => done(code === 0 ? out : ""))
      child.stdout.on("data", (data) => (out += data))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(input))
    } catch {
      done("")
    }
  })

export const Winnow = async ({ directory }: any) => {
  const recalled = new Map<string, Promise<string>[]>() // what each session was given
  return {
    "chat.message": async (input: any, output: any) => {
      const id = input?.sessionID
      const told = { session_id: id, cwd: directory }
      if (!recalled.has(id)) {
        recalled.set(id, [])
        await call(["recall", "--plain"], { ...told, hook_event_name: "SessionStart", source: "resume" })
      }
      const parts = (output?.parts ?? []).filter((p: any) => p?.type === "text" && !p.synthetic)
      const prompt = parts.map((p: any) => p.text).join("\n")
      recalled.get(id)?.push(call(["recall", "--plain"], { ...told, hook_event_name: "UserPromptSubmit", prompt }))
    },
    "experimental.chat.system.transform": async (input: any, output: any) => {
      for (const block of await Promise.all(recalled.get(input?.sessionID) ?? [])) {
        if (block) output.system.push(block)
      }
    },
    event: async ({ event }: any) => {
      const id = event?.properties?.sessionID
      if (event?.type === "session.deleted") recalled.delete(id)
      if (event?.type !== "session.idle" || !id) return
      await call(["learn"], { hook_event_name: "session.idle", session_id: id, cwd: directory })
    },
  }
}
`
