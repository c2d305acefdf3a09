package keymap

func global() Global {
	return Global{
		Help:       bind("?", "help", "?"),
		Palette:    bind(":", "commands", ":", "ctrl+p"),
		Screens:    bind("1-9", "screens", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
		PrevScreen: bind("[", "previous screen", "["),
		NextScreen: bind("]", "next screen", "]"),
		NextPane:   bind("Tab", "pane", "tab"),
		PrevPane:   bind("shift-Tab", "previous pane", "shift+tab"),
		Back:       bind("Esc", "back", "esc"),
		Quit:       bind("q", "quit", "q"),
		Abort:      bind("ctrl-c", "quit now", "ctrl+c"),
		Suspend:    bind("ctrl-z", "suspend", "ctrl+z"),
		Redraw:     bind("ctrl-l", "redraw", "ctrl+l"),
		Switch:     bind("S", "switch store", "S"),
		OpenPath:   bind("O", "open a path", "O"),
		Everywhere: bind("*", "search all stores", "*"),
		Reveal:     bind("X", "reveal or mask secrets", "X"),
		Theme:      bind("T", "theme", "T"),
		Mouse:      bind("M", "mouse on or off", "M"),
		Layout:     bind("\\", "layout", "\\"),
		ShrinkList: bind("<", "narrower list", "<"),
		GrowList:   bind(">", "wider list", ">"),
		Undo:       bind("u", "undo", "u", "z"),
		Redo:       bind("ctrl-r", "redo", "ctrl+r", "Z"),
		History:    bind("U", "history", "U"),
		Guard:      bind("!", "what others undid", "!"),
		Sessions:   bind("W", "sessions of the project", "W"),
	}
}

func move() Move {
	return Move{
		Up:        bind("k", "up", "k", "up"),
		Down:      bind("j", "down", "j", "down"),
		Top:       bind("g", "first", "g", "home"),
		Bottom:    bind("G", "last", "G", "end"),
		HalfDown:  bind("ctrl-d", "half page down", "ctrl+d"),
		HalfUp:    bind("ctrl-u", "half page up", "ctrl+u"),
		PageDown:  bind("PgDn", "page down", "pgdown", "ctrl+f"),
		PageUp:    bind("PgUp", "page up", "pgup", "ctrl+b"),
		Left:      bind("h", "scroll left", "h", "left"),
		Right:     bind("l", "scroll right", "l", "right"),
		NextMatch: bind("n", "next match", "n"),
		PrevMatch: bind("N", "previous match", "N"),
		// A number begins with a digit that names no screen, and any digit goes on.
		Count: bind("0-9", "number before a move: 7j, or 05j", "0"),
	}
}

func selection() Select {
	return Select{
		Mark:       bind("space", "mark", "space"),
		Range:      bind("v", "range", "v"),
		ExtendUp:   bind("shift-up", "extend range up", "shift+up"),
		ExtendDown: bind("shift-down", "extend range down", "shift+down"),
		All:        bind("a", "mark all shown", "a"),
		Invert:     bind("A", "invert marks", "A"),
	}
}

func lessons() Lessons {
	return Lessons{
		Full:     bind("Enter", "full view", "enter"),
		Filter:   bind("/", "filter", "/"),
		Views:    bind("'", "saved views", "'"),
		Sort:     bind("o", "sort", "o"),
		Columns:  bind("C", "columns", "C"),
		Raw:      bind("J", "as stored", "J"),
		Numbers:  bind("#", "line numbers", "#"),
		Copy:     bind("y", "copy text", "y"),
		CopyRaw:  bind("Y", "copy as stored", "Y"),
		Recall:   bind("i", "recall with this task", "i"),
		Scope:    bind("s", "next scope", "s"),
		Kin:      bind("K", "jump to similar record", "K"),
		Timeline: bind("H", "timeline", "H"),
	}
}

func curate() Curate {
	return Curate{
		Delete:  bind("d", "delete", "d"),
		Edit:    bind("e", "edit", "e"),
		EditRaw: bind("E", "edit as stored", "E"),
		Verify:  bind("V", "edit and mark verified", "V"),
		Pin:     bind("p", "pin", "p"),
		Prune:   bind("P", "prune", "P"),
		Merge:   bind("m", "merge similar", "m"),
		Add:     bind("L", "add by hand", "L"),
		Repair:  bind("F", "fix what stops the agent", "F"),
		Redact:  bind("r", "redact secrets", "r"),
	}
}

func dialog() Dialog {
	return Dialog{
		Confirm:    bind("y", "yes, do it", "y"),
		Cancel:     bind("Esc", "cancel", "esc", "n"),
		Press:      bind("Enter", "press the button", "enter"),
		Focus:      bind("Tab", "next button", "tab"),
		FocusBack:  bind("shift-Tab", "previous button", "shift+tab"),
		Up:         bind("k", "up", "k", "up"),
		Down:       bind("j", "down", "j", "down"),
		Top:        bind("g", "first", "g", "home"),
		Bottom:     bind("G", "last", "G", "end"),
		PageUp:     bind("PgUp", "page up", "pgup", "ctrl+u"),
		PageDown:   bind("PgDn", "page down", "pgdown", "ctrl+d"),
		Left:       bind("h", "left", "h", "left"),
		Right:      bind("l", "right", "l", "right"),
		Pick:       bind("space", "choose", "space"),
		More:       bind("+", "more", "+", "="),
		Less:       bind("-", "less", "-"),
		Mine:       bind("m", "mine", "m"),
		Theirs:     bind("t", "theirs", "t"),
		Both:       bind("b", "both", "b"),
		Again:      bind("a", "do mine again", "a"),
		Always:     bind("w", "always, for this one", "w"),
		AlwaysAll:  bind("W", "always, for this store", "W"),
		Compare:    bind("c", "compare", "c"),
		Restore:    bind("R", "restore the store to here", "R"),
		RestoreOne: bind("r", "restore this one", "r"),
		Overrule:   bind("o", "do it anyway", "o"),
		Amend:      bind("e", "edit again", "e"),
	}
}

func sorting() Sort {
	return Sort{
		Store:   bind("s", "order of the store", "s"),
		Outcome: bind("o", "outcome", "o"),
		Rel:     bind("r", "relevance", "r"),
		Used:    bind("u", "last use", "u"),
		Age:     bind("a", "age", "a"),
		Next:    bind("n", "eviction order", "n"),
		Flags:   bind("f", "flags", "f"),
		Task:    bind("t", "title", "t"),
	}
}

func recall() Recall {
	return Recall{
		Edit:    bind("i", "edit task", "i"),
		Editor:  bind("ctrl-g", "task in $EDITOR", "ctrl+g"),
		Explain: bind("Enter", "explain", "enter"),
		Drop:    bind("x", "drop a word", "x"),
		Tools:   bind("t", "tool hints", "t"),
		Mode:    bind("m", "single or agentic", "m"),
		Block:   bind("b", "block full screen", "b"),
		Parts:   bind("p", "parts", "p"),
		Got:     bind("D", "what a session got", "D"),
		Compare: bind("c", "compare with another store", "c"),
		Scope:   bind("s", "next scope", "s"),
		Folder:  bind("f", "folder and files", "f"),
		Markers: bind("H", "markers on or off", "H"),
		Wrap:    bind("w", "wrap", "w"),
		Numbers: bind("#", "line numbers", "#"),
		Copy:    bind("y", "copy block", "y"),
		CopyRaw: bind("Y", "copy json", "Y"),
	}
}

func audit() Audit {
	return Audit{
		Redact:     bind("r", "redact", "r"),
		RedactRule: bind("R", "redact all of this rule", "R"),
		RedactAll:  bind("A", "redact all secrets", "A"),
		Ignore:     bind("i", "ignore", "i"),
		Export:     bind("E", "export report", "E"),
		Level:      bind("f", "fail level", "f"),
		Copy:       bind("y", "copy line", "y"),
		Open:       bind("Enter", "open lesson", "enter"),
	}
}

func inbox() Inbox {
	return Inbox{
		Approve:      bind("a", "approve", "a"),
		Reject:       bind("x", "reject", "x"),
		Edit:         bind("e", "edit and approve", "e"),
		Pin:          bind("p", "approve and pin", "p"),
		Merge:        bind("m", "merge", "m"),
		Later:        bind("s", "later", "s"),
		Target:       bind("t", "where to", "t"),
		ApproveClean: bind("A", "approve all clean", "A"),
		Restore:      bind("R", "restore", "R"),
		Open:         bind("Enter", "full view", "enter"),
		List:         bind("l", "list", "l"),
	}
}

func stores() Stores {
	return Stores{
		Open:     bind("Enter", "open", "enter"),
		Refresh:  bind("r", "refresh", "r"),
		Fold:     bind("space", "fold", "space"),
		Filter:   bind("/", "filter", "/"),
		Sort:     bind("o", "sort", "o"),
		Copy:     bind("y", "copy path", "y"),
		Activity: bind("H", "activity", "H"),
	}
}

func text() Text {
	return Text{
		Accept:     bind("Enter", "accept", "enter"),
		NewLine:    bind("alt-Enter", "new line", "alt+enter", "shift+enter", "ctrl+j"),
		Cancel:     bind("Esc", "leave the text box", "esc"),
		Older:      bind("up", "earlier text", "up"),
		Newer:      bind("down", "later text", "down"),
		DeleteWord: bind("ctrl-w", "delete word", "ctrl+w"),
		DeleteLine: bind("ctrl-u", "delete to line start", "ctrl+u"),
		LineStart:  bind("ctrl-a", "line start", "ctrl+a"),
		LineEnd:    bind("ctrl-e", "line end", "ctrl+e"),
	}
}
