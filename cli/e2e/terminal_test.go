package e2e

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long a script waits for the screen. It is long because a busy
// machine is slow, not because the program is.
const patience = 45 * time.Second

// cmdTUI runs the program in a terminal and plays a script of keys:
//
//	tui [-mute] WIDTHxHEIGHT KEYS PROGRAM [ARG...]
//
// Each line of the file KEYS is one step:
//
//	want TEXT       wait until the screen shows TEXT
//	gone TEXT       wait until it does not
//	type KEYS       type KEYS, which may hold Go escapes such as \r or \x1b
//	press HINT      wait until the screen shows HINT, as "d delete", and type its first letter
//	pressed NUMBER  fail unless so many keys were pressed since the last pressed
//	resize WxH      change the size of the terminal
//	shot FILE       write the screen to FILE once it rests
//	golden NAME     wait until the screen is that of testdata/screens/NAME-WxH.txt
//	copy FROM TO    what an agent does: write TO.tmp, and rename it to TO
//	rename FROM TO  rename a file
//	tell NAME LINE  send a line to a program that start started, wait for the answer
//	signal NUMBER   send a signal
//	hangup          close the terminal
//
// The program has to end after the last step. Standard output is then the screen
// at the end, and standard error what else the terminal was told: its titles, its
// clipboard, whether there were colours, whether the other screen is still on,
// whether the cursor is hidden.
// A mute terminal answers no question.
func cmdTUI(ts *testscript.TestScript, neg bool, args []string) {
	mute := len(args) > 0 && args[0] == "-mute"
	if mute {
		args = args[1:]
	}
	if len(args) < 3 {
		ts.Fatalf("usage: tui [-mute] WIDTHxHEIGHT KEYS PROGRAM [ARG...]")
	}
	x := startTerminal(ts, args[0], mute, args[2:])
	defer x.stop()
	for i, line := range strings.Split(strings.TrimSpace(ts.ReadFile(args[1])), "\n") {
		verb, rest, _ := strings.Cut(line, " ")
		if err := x.step(ts, verb, rest); err != nil {
			ts.Fatalf("%s:%d: %s: %v; the screen shows:\n%s", args[1], i+1, line, err, x.text())
		}
	}
	err := x.wait()
	fmt.Fprint(ts.Stdout(), x.text())
	fmt.Fprint(ts.Stderr(), x.told())
	if (err != nil) != neg || errors.Is(err, errRuns) {
		ts.Fatalf("the program ended with %v; the screen shows:\n%s", err, x.text())
	}
}

// terminal is an emulator at one end of a pty with the program at the other.
type terminal struct {
	file *os.File
	cmd  *exec.Cmd
	done chan error    // holds how the program ended, when all it printed was read
	news chan struct{} // holds something when more was printed
	read sync.WaitGroup

	mu     sync.Mutex // guards what follows
	emu    *vt.Emulator
	titles []string
	clips  []string
	hidden bool
	colour bool // seen on the screen at any look
	writes int

	pressed int // keys
}

func startTerminal(ts *testscript.TestScript, size string, mute bool, args []string) *terminal {
	bin, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd := exec.Command(bin, args[1:]...)
	if delay := os.Getenv("WINNOW_SLOW_FILES"); delay != "" {
		cmd = slowed(delay, cmd.Args)
	}
	cmd.Dir, cmd.Env = ts.MkAbs("."), environ(ts)
	w, h := parseSize(ts, size)
	x, err := openTerminal(cmd, w, h, mute)
	ts.Check(err)
	return x
}

// slowed returns the command that runs a program for which each look at a file takes longer by so many
// microseconds: what a script types before the screen is ready for it is then found on a fast machine too.
func slowed(microseconds string, args []string) *exec.Cmd {
	slow := []string{"-D", "-f", "-qq", "-o", os.DevNull}
	slow = append(slow, "-e", "inject=openat,getdents64,newfstatat:delay_enter="+microseconds)
	return exec.Command("strace", append(slow, args...)...)
}

// openTerminal starts a program in a terminal.
func openTerminal(cmd *exec.Cmd, w, h int, mute bool) (*terminal, error) {
	x := &terminal{emu: vt.NewEmulator(w, h), cmd: cmd, done: make(chan error, 1), news: make(chan struct{}, 1)}
	x.emu.SetCallbacks(vt.Callbacks{
		Title:            func(s string) { x.titles = append(x.titles, s) },
		CursorVisibility: func(visible bool) { x.hidden = !visible },
	})
	x.emu.RegisterOscHandler(52, func(data []byte) bool { x.clips = append(x.clips, string(data)); return true })
	var err error
	if x.file, err = pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		return nil, err
	}
	if x.file, err = unblocked(x.file); err != nil {
		return nil, err
	}
	answers := io.Writer(x.file)
	if mute {
		answers = io.Discard
	}
	x.read.Go(func() { io.Copy(answers, struct{ io.Reader }{x.emu}) })
	drained := make(chan struct{})
	x.read.Go(func() {
		defer close(drained)
		io.Copy(x, x.file)
	})
	go func() {
		err := x.cmd.Wait()
		select {
		case <-drained: // what a program prints last may come after its end
		case <-time.After(patience): // a child of it has the terminal still
		}
		x.done <- err
	}()
	return x, nil
}

// environ is the environment of the program: what the script set, of the
// variables that matter.
func environ(ts *testscript.TestScript) []string {
	env := []string{"PATH=" + os.Getenv("PATH")}
	for _, name := range []string{
		"HOME", "TMPDIR", "TZ", "TERM", "COLORTERM", "NO_COLOR", "LANG", "EDITOR", "VISUAL", "XDG_STATE_HOME",
		"KARNEVIL9_MEMORY_PATH", "WORK", "FRAGILE", "ACCESSIBLE", "WINNOW_PLAIN", "TMUX", "XDG_RUNTIME_DIR", "PAGER",
	} {
		v := ts.Getenv(name)
		if name == "TERM" && v == "" {
			v = "xterm-256color"
		}
		if v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

func parseSize(ts *testscript.TestScript, size string) (w, h int) {
	if _, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil {
		ts.Fatalf("size %q: %v", size, err)
	}
	return w, h
}

// step plays one line of a script.
func (x *terminal) step(ts *testscript.TestScript, verb, rest string) error {
	from, to, _ := strings.Cut(rest, " ")
	switch verb {
	case "want":
		return x.until(func(s string) bool { return strings.Contains(s, rest) })
	case "gone":
		return x.until(func(s string) bool { return !strings.Contains(s, rest) })
	case "type":
		keys, err := strconv.Unquote(`"` + rest + `"`)
		if err != nil {
			return err
		}
		x.pressed += utf8.RuneCountInString(keys)
		_, err = io.WriteString(x.file, keys)
		return err
	case "press":
		if err := x.until(func(s string) bool { return strings.Contains(s, rest) }); err != nil {
			return err
		}
		x.pressed++
		_, err := io.WriteString(x.file, from[:1])
		return err
	case "pressed":
		if n := strconv.Itoa(x.pressed); n != rest {
			return fmt.Errorf("%s keys were pressed", n)
		}
		x.pressed = 0
	case "resize":
		w, h := parseSize(ts, rest)
		x.mu.Lock()
		x.emu.Resize(w, h)
		x.mu.Unlock()
		return pty.Setsize(x.file, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	case "shot":
		return os.WriteFile(ts.MkAbs(rest), []byte(x.rested()), 0o600)
	case "golden":
		return x.golden(rest)
	case "copy":
		tmp := ts.MkAbs(to) + ".tmp"
		if err := os.WriteFile(tmp, []byte(ts.ReadFile(from)), 0o600); err != nil {
			return err
		}
		return os.Rename(tmp, ts.MkAbs(to))
	case "rename":
		return os.Rename(ts.MkAbs(from), ts.MkAbs(to))
	case "tell":
		_, err := tell(ts, from, to)
		return err
	case "signal":
		n, err := strconv.Atoi(rest)
		if err != nil {
			return err
		}
		return x.cmd.Process.Signal(syscall.Signal(n))
	case "hangup":
		return x.file.Close()
	default:
		return fmt.Errorf("no such step")
	}
	return nil
}

// Write takes what the program prints.
func (x *terminal) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.writes++
	select {
	case x.news <- struct{}{}:
	default: // they wait already
	}
	return x.emu.Write(p)
}

// text returns the screen, without the blanks at the ends of lines.
func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var b strings.Builder
	for y := range x.emu.Height() {
		var line strings.Builder
		for col := 0; col < x.emu.Width(); {
			cell := x.emu.CellAt(col, y)
			if cell == nil || cell.Width == 0 {
				line.WriteByte(' ')
				col++
				continue
			}
			x.colour = x.colour || cell.Style.Fg != nil || cell.Style.Bg != nil
			line.WriteString(cell.Content)
			col += cell.Width
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// until waits for the screen to fulfil a condition.
func (x *terminal) until(ok func(screen string) bool) error {
	const pause, frame = 100 * time.Millisecond, 5 * time.Millisecond
	for left := patience / pause; left > 0; {
		if ok(x.text()) {
			return nil
		}
		select {
		case <-x.news:
			time.Sleep(frame) // a frame may come in several pieces
		case err := <-x.done:
			x.done <- err
			if ok(x.text()) {
				return nil
			}
			return fmt.Errorf("the program has ended (%v)", err)
		case <-time.After(pause): // pauses are counted, not the time: a busy machine delays them as it does the program
			left--
		}
	}
	return fmt.Errorf("not within %v", patience)
}

// goldens is the folder of the screens that are compared.
var goldens, _ = filepath.Abs(filepath.Join("..", "..", "testdata", "screens"))

// golden compares the screen with a file, and writes the file when that is asked
// for.
func (x *terminal) golden(name string) error {
	path := filepath.Join(goldens, fmt.Sprintf("%s-%dx%d.txt", name, x.emu.Width(), x.emu.Height()))
	if updating() {
		return os.WriteFile(path, []byte(x.rested()), 0o644)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := x.until(func(s string) bool { return s == string(want) }); err != nil {
		return fmt.Errorf("%w; want (WINNOW_UPDATE=1 accepts what is there):\n%s", err, want)
	}
	return nil
}

// rested returns the screen when nothing was printed for a while.
func (x *terminal) rested() string {
	const calm = 150 * time.Millisecond
	for {
		before := x.count()
		time.Sleep(calm)
		if x.count() == before {
			return x.text()
		}
	}
}

func (x *terminal) count() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.writes
}

// errRuns is the error for a program that does not end, which no script expects.
var errRuns = fmt.Errorf("the program did not end within %v", patience)

// wait waits for the program to end.
func (x *terminal) wait() error {
	select {
	case err := <-x.done:
		x.done <- err
		return err
	case <-time.After(patience):
		return errRuns
	}
}

// told returns what the terminal was told besides text.
func (x *terminal) told() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var b strings.Builder
	for _, s := range x.titles {
		fmt.Fprintf(&b, "title %q\n", s)
	}
	for _, s := range x.clips {
		fmt.Fprintf(&b, "clipboard %q\n", s)
	}
	fmt.Fprintf(&b, "colours %v\nother screen %v\ncursor hidden %v\n", x.colour, x.emu.IsAltScreen(), x.hidden)
	return b.String()
}

// stop ends the program if it still runs, and the goroutines that read.
func (x *terminal) stop() {
	x.cmd.Process.Kill()
	<-x.done
	x.file.Close()
	if c, ok := x.emu.InputPipe().(io.Closer); ok {
		c.Close()
	}
	x.read.Wait()
}
