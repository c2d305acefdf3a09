package keymap

func global() Global {
	return Global{
		Help:       bind("help", "?"),
		Palette:    bind("commands", ":", "ctrl+p"),
		Screens:    bindAs("1-9", "screens", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
		PrevScreen: bind("previous screen", "["),
		NextScreen: bind("next screen", "]"),
		NextPane:   bind("pane", "tab"),
		PrevPane:   bind("previous pane", "shift+tab"),
		Back:       bind("back", "esc"),
		Quit:       bind("quit", "q"),
		Abort:      bind("quit now", "ctrl+c"),
		Suspend:    bind("suspend", "ctrl+z"),
		Redraw:     bind("redraw", "ctrl+l"),
		Switch:     bind("switch store", "S"),
		OpenPath:   bind("open a path", "O"),
		Everywhere: bind("search all stores", "*"),
		Reveal:     bind("reveal or mask secrets", "X"),
		Theme:      bind("theme", "T"),
		Mouse:      bind("mouse on or off", "M"),
		Layout:     bind("layout", "\\"),
		ShrinkList: bind("narrower list", "<"),
		GrowList:   bind("wider list", ">"),
		Undo:       bind("undo", "u"),
		Redo:       bind("redo", "ctrl+r"),
		History:    bind("history", "U"),
		Guard:      bind("what others undid", "!"),
		Sessions:   bind("sessions of the project", "W"),
	}
}

func move() Move {
	return Move{
		Up:        bind("up", "k", "up"),
		Down:      bind("down", "j", "down"),
		Top:       bind("first", "g", "home"),
		Bottom:    bind("last", "G", "end"),
		HalfDown:  bind("half page down", "ctrl+d"),
		HalfUp:    bind("half page up", "ctrl+u"),
		PageDown:  bind("page down", "pgdown", "ctrl+f"),
		PageUp:    bind("page up", "pgup", "ctrl+b"),
		Left:      bind("scroll left", "h", "left"),
		Right:     bind("scroll right", "l", "right"),
		NextMatch: bind("next match", "n"),
		PrevMatch: bind("previous match", "N"),
	}
}

func selection() Select {
	return Select{
		Mark:       bind("mark", "space"),
		Range:      bind("range", "v"),
		ExtendUp:   bind("extend range up", "shift+up"),
		ExtendDown: bind("extend range down", "shift+down"),
		All:        bind("mark all shown", "a"),
		Invert:     bind("invert marks", "A"),
	}
}

func lessons() Lessons {
	return Lessons{
		Full:     bind("full view", "enter"),
		Filter:   bind("filter", "/"),
		Views:    bind("saved views", "'"),
		Sort:     bind("sort", "o"),
		Raw:      bind("as stored", "J"),
		Numbers:  bind("line numbers", "#"),
		Copy:     bind("copy text", "y"),
		CopyRaw:  bind("copy as stored", "Y"),
		Recall:   bind("recall with this task", "i"),
		Scope:    bind("next scope", "s"),
		Kin:      bind("jump to similar record", "K"),
		Timeline: bind("timeline", "H"),
	}
}

func curate() Curate {
	return Curate{
		Delete:  bind("delete", "d"),
		Edit:    bind("edit", "e"),
		EditRaw: bind("edit as stored", "E"),
		Verify:  bind("edit and mark verified", "V"),
		When:    bind("change when it is told", "w"),
		Pin:     bind("pin", "p"),
		Prune:   bind("prune", "P"),
		Merge:   bind("merge similar", "m"),
		Add:     bind("add by hand", "L"),
		Repair:  bind("fix what stops the agent", "F"),
		Redact:  bind("redact secrets", "r"),
	}
}

func dialog() Dialog {
	return Dialog{
		Confirm:    bind("yes, do it", "y"),
		Cancel:     bind("cancel", "esc", "n"),
		Press:      bind("press the button", "enter"),
		Focus:      bind("next button", "tab"),
		FocusBack:  bind("previous button", "shift+tab"),
		Up:         bind("up", "k", "up"),
		Down:       bind("down", "j", "down"),
		Top:        bind("first", "g", "home"),
		Bottom:     bind("last", "G", "end"),
		PageUp:     bind("page up", "pgup", "ctrl+u"),
		PageDown:   bind("page down", "pgdown", "ctrl+d"),
		Left:       bind("left", "h", "left"),
		Right:      bind("right", "l", "right"),
		Pick:       bind("choose", "space"),
		More:       bind("more", "+", "="),
		Less:       bind("less", "-"),
		Mine:       bind("mine", "m"),
		Theirs:     bind("theirs", "t"),
		Both:       bind("both", "b"),
		Again:      bind("do mine again", "a"),
		Always:     bind("always, for this one", "w"),
		AlwaysAll:  bind("always, for this store", "W"),
		Compare:    bind("compare", "c"),
		Restore:    bind("restore the store to here", "R"),
		RestoreOne: bind("restore this one", "r"),
		Overrule:   bind("do it anyway", "o"),
		Amend:      bind("edit again", "e"),
		Digit:      bindAs("0-9", "type a number", "0"),

		NotTrue: bind("not true", "1"), NotGeneral: bind("not general", "2"), KnownAlready: bind("known already", "3"),
		Harmful: bind("harmful", "4"), NoReason: bind("no reason", "x"),
	}
}

func sorting() Sort {
	return Sort{
		Store:   bind("order of the store", "s"),
		Outcome: bind("outcome", "o"),
		Rel:     bind("relevance", "r"),
		Used:    bind("last use", "u"),
		Age:     bind("age", "a"),
		Next:    bind("eviction order", "n"),
		Flags:   bind("flags", "f"),
		Task:    bind("title", "t"),
	}
}

func recall() Recall {
	return Recall{
		Edit:    bind("edit task", "i"),
		Editor:  bind("task in $EDITOR", "ctrl+g"),
		Explain: bind("explain", "enter"),
		Drop:    bind("drop a word", "x"),
		Tools:   bind("tool hints", "t"),
		Mode:    bind("single or agentic", "m"),
		Block:   bind("block full screen", "b"),
		Parts:   bind("parts", "p"),
		Got:     bind("what a session got", "D"),
		Scope:   bind("next scope", "s"),
		Folder:  bind("folder and files", "f"),
		Markers: bind("markers on or off", "H"),
		Wrap:    bind("wrap", "w"),
		Numbers: bind("line numbers", "#"),
		Copy:    bind("copy block", "y"),
		CopyRaw: bind("copy json", "Y"),
	}
}

func audit() Audit {
	return Audit{
		Redact:     bind("redact", "r"),
		RedactRule: bind("redact all of this rule", "R"),
		RedactAll:  bind("redact all secrets", "A"),
		Ignore:     bind("ignore", "i"),
		Export:     bind("export report", "E"),
		Level:      bind("fail level", "f"),
		Copy:       bind("copy line", "y"),
		Open:       bind("open lesson", "enter"),
	}
}

func inbox() Inbox {
	return Inbox{
		Approve:      bind("approve", "a"),
		Reject:       bind("reject", "x"),
		Edit:         bind("edit and approve", "e"),
		When:         bind("change when, and approve", "w"),
		Pin:          bind("approve and pin", "p"),
		Merge:        bind("merge", "m"),
		Later:        bind("later", "s"),
		Target:       bind("where to", "t"),
		ApproveClean: bind("approve all clean", "A"),
		Restore:      bind("restore", "R"),
		Distil:       bind("let your program read sessions", "D"),
		Open:         bind("full view", "enter"),
		List:         bind("list", "l"),
	}
}

func home() Home {
	return Home{
		Open:      bind("open", "enter"),
		Recall:    bind("recall", "r"),
		Audit:     bind("audit", "a"),
		Edit:      bind("edit", "e"),
		EditOther: bind("edit the other place", "E"),
		Mend:      bind("mend", "m"),
		Meant:     bind("meant so", "x"),
		Fold:      bind("fold", "space"),
		Filter:    bind("find a store", "/"),
		Sort:      bind("sort", "o"),
		Refresh:   bind("refresh", "R"),
		Copy:      bind("copy path", "y"),
		Activity:  bind("activity", "H"),
	}
}

func text() Text {
	return Text{
		Accept:     bind("accept", "enter"),
		NewLine:    bind("new line", "alt+enter", "shift+enter", "ctrl+j"),
		Cancel:     bind("leave the text box", "esc"),
		Older:      bind("earlier text", "up"),
		Newer:      bind("later text", "down"),
		DeleteWord: bind("delete word", "ctrl+w"),
		DeleteLine: bind("delete to line start", "ctrl+u"),
		LineStart:  bind("line start", "ctrl+a"),
		LineEnd:    bind("line end", "ctrl+e"),
	}
}
