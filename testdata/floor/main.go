// Floor is the least a Bubble Tea program can do that still shows a list: n rows
// drawn virtually, j and k to move, q to quit. Its figures are what ours are
// held against; it has the same frame rate and the same versions.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
)

type list struct {
	rows, cursor, top int
	w, h              int
}

func main() {
	n := flag.Int("n", 100, "number of rows")
	flag.Parse()
	if _, err := tea.NewProgram(&list{rows: *n}, tea.WithFPS(120)).Run(); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

// Init implements tea.Model.
func (l *list) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (l *list) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	switch m := m.(type) {
	case tea.WindowSizeMsg:
		l.w, l.h = m.Width, m.Height
	case tea.KeyPressMsg:
		switch m.String() {
		case "q", "ctrl+c":
			return l, tea.Quit
		case "j":
			l.cursor = min(l.cursor+1, l.rows-1)
		case "k":
			l.cursor = max(l.cursor-1, 0)
		}
	}
	l.top = max(min(l.top, l.cursor), l.cursor-l.h+1, 0)
	return l, nil
}

// View implements tea.Model.
func (l *list) View() tea.View {
	var b strings.Builder
	for i := l.top; i < min(l.top+l.h, l.rows); i++ {
		line := fmt.Sprintf("  %6d  the quick brown fox jumps over the lazy dog and runs on to row %d", i, i)
		if i == l.cursor {
			line = "\x1b[7m>" + line[1:] + "\x1b[m"
		}
		if i > l.top {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	v := tea.NewView(b.String())
	v.AltScreen = true
	return v
}
