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
	// The plugin calls the hooks of calls of tools if its line says so.
	pluginCalls   = "const calls = true\n"
	pluginNoCalls = "const calls = false\n"
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
	end += len(pluginEnd)
	ours := text[at:end]
	e := found{Entry: Entry{Program: jstext.Text(spelled)}, at: at, end: end}
	e.text = strings.Replace(ours, pluginCalls, pluginNoCalls, 1)
	all := []found{e, e}
	all[0].Name, all[1].Name = Recall, Learn
	if n := strings.Index(ours, pluginCalls); n >= 0 {
		e.Name, e.text, e.at, e.end = AfterCall, pluginCalls, at+n, at+n+len(pluginCalls)
		all = append(all, e)
	}
	return all, nil
}

// cut removes everything of ours, since it is one program, or turns the hooks of calls off.
func (plugin) cut(text string, e found) (string, error) {
	if e.Name == AfterCall {
		return text[:e.at] + pluginNoCalls + text[e.end:], nil
	}
	before, rest, _ := strings.Cut(text, pluginBegin)
	_, after, _ := strings.Cut(rest, pluginEnd)
	return before + after, nil
}

func (p plugin) add(text, name, program string) (string, error) {
	switch {
	case name == AfterCall && strings.Contains(text, pluginNoCalls):
		return strings.Replace(text, pluginNoCalls, pluginCalls, 1), nil
	case text != "": // somebody else's file with our name
		return "", errForm
	}
	return p.text(Recall, program), nil
}

func (plugin) text(name, program string) string {
	if name == AfterCall {
		return pluginCalls
	}
	return pluginBegin + pluginStart + jstext.Quoted(program) + "\n" + pluginNoCalls + pluginText + pluginEnd
}

func (plugin) spell(text string) string { return text }

func (plugin) whyIgnored(string, string) []string { return nil }

// pluginText gives the model what the recall hook answers to the messages of a session, and passes a
// session on when it is idle. Whatever happens, OpenCode sees no error, and waits half a second at most.
const pluginText = `// Written by "winnow setup opencode"; "winnow setup opencode --remove" takes it out.
import { spawn } from "node:child_process"

const call = (args: string[], input: object) =>
  new Promise<string>((done) => {
    try {
      const options = { stdio: ["pipe", "pipe", "ignore"], windowsHide: true } as const
      const child = spawn(winnow, ["agent-hook", ...args, "--agent", "opencode"], options)
      let out = ""
      const late = setTimeout(() => {
        done(out)
        child.kill("SIGKILL")
      }, 500)
      const end = (text: string) => {
        clearTimeout(late)
        done(text)
      }
      child.on("error", () => end(""))
      child.on("close", (code) => end(code === 0 ? out : ""))
      child.stdout.on("error", () => {})
      child.stdout.on("data", (data) => (out += data))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(input))
    } catch {
      done("")
    }
  })

const quiet = (hook: (input: any, output: any) => Promise<void>) => async (input: any, output: any) => {
  try {
    await hook(input, output)
  } catch {}
}

const tools = ["bash", "read", "edit", "multiedit", "write", "patch", "apply_patch"]

export const Winnow = async (context: any) => {
  const cwd = context?.directory
  const recalled = new Map<string, Promise<string>[]>() // what each session was given
  const add = (id: string, block: Promise<string>) => recalled.set(id, [...(recalled.get(id) ?? []), block])
  const about = async (event: string, input: any, more: object) => {
    if (!calls || !tools.includes(input.tool)) return
    const told = { hook_event_name: event, session_id: input.sessionID, cwd, tool_name: input.tool, ...more }
    const block = await call(["call", "--plain"], told)
    if (block) add(input.sessionID, Promise.resolve(block))
  }
  return {
    "chat.message": quiet(async (input, output) => {
      const parts = output.parts.filter((p: any) => p?.type === "text" && !p.synthetic)
      const prompt = parts.map((p: any) => p.text).join("\n")
      const told = { session_id: input.sessionID, cwd }
      let start = Promise.resolve("")
      if (!recalled.has(input.sessionID)) {
        // the session may be older than this process
        start = call(["recall", "--plain"], { ...told, hook_event_name: "SessionStart", source: "resume" })
        add(input.sessionID, start)
      }
      const asked = { ...told, hook_event_name: "UserPromptSubmit", prompt }
      add(input.sessionID, start.then(() => call(["recall", "--plain"], asked)))
    }),
    "tool.execute.before": quiet(async (input, output) => {
      await about("PreToolUse", input, { tool_input: output.args })
    }),
    "tool.execute.after": quiet(async (input, output) => {
      const exit = output.metadata?.exit
      const status = exit === undefined ? "" : exit === 0 ? "succeeded" : "failed"
      const tool_response = String(output.output ?? "").slice(0, 65536)
      await about("PostToolUse", input, { tool_input: input.args, tool_response, status })
    }),
    "experimental.chat.system.transform": quiet(async (input, output) => {
      for (const block of await Promise.all(recalled.get(input.sessionID) ?? [])) {
        if (block) output.system.push(block)
      }
    }),
    event: quiet(async ({ event }) => {
      const id = event.properties?.sessionID
      if (event.type === "session.deleted") recalled.delete(id)
      if (event.type !== "session.idle" || !id) return
      await call(["learn"], { hook_event_name: "session.idle", session_id: id, cwd })
    }),
  }
}
`
