package karnevil9

import (
	"errors"
	"fmt"

	"winnow/core/memory"
	"winnow/core/quietread"
)

// open opens the store for reading, in a way that changes nothing.
func open(path string) (*quietread.File, *memory.Problem) {
	f, err := quietread.Open(path)
	if err != nil {
		return nil, unreadable(err)
	}
	return f, nil
}

// unreadable says why a store cannot be opened or read.
func unreadable(err error) *memory.Problem {
	p := quietread.Problem(err)
	switch p.Code {
	case quietread.CodeMissing:
		p.What = "There are no lessons here yet: the file does not exist."
		p.Hint = "it appears after an agent finishes its first session, and this screen then fills by itself"
	case quietread.CodeFolder:
		p.What = "This is a folder, and a store is one file. An agent that is given it starts with no lessons."
		p.Hint = "open a file in it, or start winnow with the folder to look for stores below it"
	case quietread.CodeNotAFile:
		if odd := (*quietread.Irregular)(nil); errors.As(err, &odd) {
			p.What = fmt.Sprintf("This is %s, and a store is a regular file. It was not opened.", odd.Kind())
		}
		p.Hint = "name the file that holds the lessons"
	}
	return p
}

func empty() *memory.Problem {
	return &memory.Problem{
		Code: "empty",
		What: "There are no lessons here yet: the file is empty.",
		Hint: "lessons appear after an agent finishes a session, and this screen then fills by itself",
	}
}
