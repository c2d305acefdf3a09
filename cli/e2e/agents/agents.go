// Package agents runs real coding agents for tests, against a model that plays a script on the loopback.
// The agents are those of the npm registry (@anthropic-ai/claude-code, @openai/codex, opencode-ai,
// @google/gemini-cli); -agents names the folder that they are installed in, the one that holds
// node_modules. Each run has a home of its own and no other network.
package agents

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

var dir = flag.String("agents", "", "the folder that real agents are installed in, for the tests that run them")

// Agent is one of the agents.
type Agent string

// The agents, by the names of their systems.
const (
	ClaudeCode Agent = "claudecode"
	Codex      Agent = "codex"
	OpenCode   Agent = "opencode"
	GeminiCLI  Agent = "gemini"
)

// All are the agents.
func All() []Agent { return []Agent{ClaudeCode, Codex, OpenCode, GeminiCLI} }

// program returns the name of the program of an agent.
func (a Agent) program() string {
	if a == ClaudeCode {
		return "claude"
	}
	return string(a)
}

// Need skips the test where an agent or node cannot be run.
func Need(t testing.TB, all ...Agent) {
	t.Helper()
	if *dir == "" {
		t.Skip("does not apply: -agents names no folder of real agents")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("does not apply: node, which runs the agents, is not installed")
	}
	for _, a := range all {
		if _, err := os.Stat(a.path()); err != nil {
			t.Skipf("does not apply: %s is not installed in -agents", a.program())
		}
	}
}

func (a Agent) path() string { return filepath.Join(*dir, "node_modules", ".bin", a.program()) }

// Shell returns a step in which an agent runs a command.
func (a Agent) Shell(command string) Step {
	switch a {
	case Codex:
		return Step{Tool: "exec_command", Args: map[string]any{"cmd": command, "yield_time_ms": 30000}}
	case GeminiCLI:
		return Step{Tool: "run_shell_command", Args: map[string]any{"command": command}}
	case OpenCode:
		return Step{Tool: "bash", Args: map[string]any{"command": command, "description": "runs a command"}}
	}
	return Step{Tool: "Bash", Args: map[string]any{"command": command, "description": "runs a command"}}
}

// Read returns a step in which an agent reads a file; Codex has a shell for that.
func (a Agent) Read(path string) Step {
	switch a {
	case Codex:
		return a.Shell("cat " + path)
	case GeminiCLI:
		return Step{Tool: "read_file", Args: map[string]any{"file_path": path}}
	case OpenCode:
		return Step{Tool: "read", Args: map[string]any{"filePath": path}}
	}
	return Step{Tool: "Read", Args: map[string]any{"file_path": path}}
}

// Again is what makes a run go on with the last session of its project.
const Again = "\x00again"

// options returns the arguments of any start.
func (a Agent) options(url string) []string {
	if a != Codex {
		return nil
	}
	return []string{
		"-c", `model="m"`, "-c", `model_provider="mock"`, "-c", `sandbox_mode="danger-full-access"`,
		"-c",
		`model_providers.mock={name="mock",base_url="` + url + `/v1",wire_api="responses",request_max_retries=0,stream_max_retries=0}`,
	}
}

// command returns the arguments of a run.
func (a Agent) command(url, prompt string, again bool) (args []string) {
	switch a {
	case ClaudeCode:
		args = []string{"-p", prompt, "--allowedTools", "Bash,Read,Write,Edit,mcp__winnow"}
		if again {
			args = append(args, "--continue")
		}
	case Codex:
		args = append([]string{"exec", "--skip-git-repo-check"}, a.options(url)...)
		if again {
			args = append(args, "resume", "--last")
		}
		args = append(args, prompt)
	case OpenCode:
		args = []string{"run", prompt, "--model", "mock/m"}
		if again {
			args = append(args, "--continue")
		}
	case GeminiCLI:
		args = []string{"-p", prompt, "-m", "gemini-2.5-flash", "--approval-mode", "yolo", "--skip-trust"}
		if again {
			args = append(args, "--resume", "latest")
		}
	}
	return args
}

// Environment returns the environment of an agent with a home of its own.
func (a Agent) Environment(home, url string) []string {
	env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "TMPDIR=" + os.TempDir()}
	switch a {
	case ClaudeCode:
		env = append(
			env,
			"ANTHROPIC_BASE_URL="+url,
			"ANTHROPIC_API_KEY=sk-ant-fake-000",
			"DISABLE_TELEMETRY=1",
			"DISABLE_AUTOUPDATER=1",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
			"ENABLE_TOOL_SEARCH=false",
		)
	case OpenCode:
		env = append(
			env,
			"OPENCODE_DISABLE_AUTOUPDATE=1",
			"OPENCODE_DISABLE_LSP_DOWNLOAD=1",
			"OPENCODE_DISABLE_MODELS_FETCH=1",
			"npm_config_offline=true", // it would install a package into each new home
			`OPENCODE_CONFIG_CONTENT={"model":"mock/m","small_model":"mock/m","autoupdate":false,"provider":{"mock":{"npm":"@ai-sdk/openai-compatible","name":"mock",`+
				`"options":{"baseURL":"`+url+`/v1","apiKey":"x"},"models":{"m":{"name":"m","tool_call":true,"limit":{"context":100000,"output":4000}}}}}}`,
		)
	case GeminiCLI:
		env = append(env, "GEMINI_API_KEY=fake", "GOOGLE_GEMINI_BASE_URL="+url)
	}
	return env
}

// prepare writes the settings without which an agent asks or calls home, unless there are some.
func (a Agent) prepare(t testing.TB, home string) {
	t.Helper()
	path, text := filepath.Join(home, ".gemini", "settings.json"),
		`{"security":{"auth":{"selectedType":"gemini-api-key"},"folderTrust":{"enabled":false}},"telemetry":{"enabled":false},"privacy":{"usageStatisticsEnabled":false},"general":{"enableAutoUpdate":false}}`
	if _, err := os.Stat(path); a != GeminiCLI || err == nil {
		return
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// Process is a running agent. It ends with the test.
type Process struct {
	agent Agent
	cmd   *exec.Cmd
	out   bytes.Buffer
	done  chan struct{}
	err   error
}

// limit is how long a run may take. On a busy machine OpenCode alone needs two minutes.
const limit = 6 * time.Minute

// Start starts an agent on a prompt; behind [Again] the prompt goes on with the last session.
func (m *Model) Start(t testing.TB, a Agent, home, project, prompt string) *Process {
	t.Helper()
	a.prepare(t, home)
	again := false
	if len(prompt) >= len(Again) && prompt[:len(Again)] == Again {
		again, prompt = true, prompt[len(Again):]
	}
	p := &Process{agent: a, cmd: exec.Command(a.path(), a.command(m.URL, prompt, again)...), done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = project, a.Environment(home, m.URL)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.out
	group(p.cmd)
	p.cmd.WaitDelay = time.Second
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", a, err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(p.Kill)
	return p
}

// Wait waits for the end of a run, and returns what it printed.
func (p *Process) Wait(t testing.TB) (printed string, err error) {
	t.Helper()
	select {
	case <-p.done:
		return p.out.String(), p.err
	case <-time.After(limit):
		p.Kill()
		t.Fatalf("%s did not end in %v: %s", p.agent, limit, p.out.String())
		return "", nil
	}
}

// Interrupt sends what a terminal sends for Ctrl-C: an interrupt to the agent and what it started.
func (p *Process) Interrupt() { interrupt(p.cmd) }

// Kill kills the agent and what it started, and waits for its end.
func (p *Process) Kill() {
	kill(p.cmd)
	<-p.done
}

// Run runs an agent on a prompt to its end, while a model of its own plays the steps, and returns the
// requests that the agent made.
func Run(t testing.TB, a Agent, home, project, prompt string, steps ...Step) []Request {
	t.Helper()
	m := NewModel(t)
	m.Play(steps...)
	p := m.Start(t, a, home, project, prompt)
	if out, err := p.Wait(t); err != nil {
		t.Fatalf("%s: %v: %s", a, err, out)
	}
	return m.Requests()
}
