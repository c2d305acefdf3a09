package config

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"reflect"
	"slices"

	"winnow/core/atomicfile"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/statefile"
)

// State is what the screens remember between runs. The zero State is that of a first run. It is a
// value: code that changes it must create new maps and lists.
type State struct {
	Theme string `json:"theme,omitempty"` // the theme last chosen with a key
	// Lists are the lists of the screens, by screen name.
	Lists map[string]List `json:"lists,omitempty"`
	// Orders are by kind of store; see memory.Place.Kind.
	Orders map[string]Order `json:"orders,omitempty"`
	// Store and Record are what was last open.
	Store  memory.StoreID `json:"store,omitempty"`
	Record memory.ID      `json:"record,omitempty"`
	// Folded are the collapsed parts of the tree of stores.
	Folded []string `json:"folded,omitempty"`
	// Drafts are typed tasks, newest first.
	Drafts []string `json:"drafts,omitempty"`
	// Seen are one-time hints that were already shown.
	Seen []string `json:"seen,omitempty"`
}

// List says how a list and its detail share a screen. The zero List is the default.
type List struct {
	Layout int `json:"layout,omitempty"`
	Share  int `json:"share,omitempty"` // of the list, in percent
}

// Order says how the records of a kind of store are listed.
type Order struct {
	Sort string `json:"sort,omitempty"` // a column of core/filter; empty means the order of the store
	Desc bool   `json:"desc,omitempty"`
	// Filter is the typed filter, with secrets redacted.
	Filter string `json:"filter,omitempty"`
	// Columns are the columns in order; nil means the default.
	Columns []string `json:"columns"`
}

const (
	// MostDrafts is the maximum number of drafts to keep, and mostDrafts their maximum size in
	// bytes.
	MostDrafts = 50
	mostDrafts = 256 << 10
	mostState  = 1 << 20 // bytes of the file
	mostItems  = 1000    // of a map or list
)

// StateFile is the file of the state in a folder. The zero StateFile stores nothing.
type StateFile struct{ file statefile.File }

// OpenState returns the file in Winnow's state folder, which may be "".
func OpenState(dir string) StateFile {
	if dir == "" {
		return StateFile{}
	}
	return StateFile{statefile.File{Path: filepath.Join(dir, "state.json")}}
}

// path returns the path of the file, or "" if nothing is stored.
func (f StateFile) path() string { return f.file.Path }

// Read returns the state. If the file is missing, damaged or too large, that is the zero State.
func (f StateFile) Read() State {
	if f.path() == "" {
		return State{}
	}
	data, err := f.file.Read()
	if err != nil {
		return State{}
	}
	return decodeState(data)
}

func decodeState(data []byte) State {
	var s State
	if len(data) > mostState || json.Unmarshal(data, &s) != nil {
		return State{}
	}
	return s.bounded()
}

// Save writes the differences between before and now. What another Winnow saved meanwhile is kept
// where this one changed nothing; otherwise the last writer wins. Secrets in drafts and filters are
// redacted.
func (f StateFile) Save(ctx context.Context, before, now State) error {
	if f.path() == "" || reflect.DeepEqual(before, now) {
		return nil
	}
	before, now = before.redacted(), now.redacted()
	return f.replace(ctx, func(found State) State { return merged(before, now, found) })
}

// Forget removes the drafts.
func (f StateFile) Forget(ctx context.Context) error {
	if len(f.Read().Drafts) == 0 {
		return nil
	}
	return f.replace(ctx, func(found State) State { found.Drafts = nil; return found })
}

func (f StateFile) replace(ctx context.Context, next func(found State) State) error {
	return f.file.Change(ctx, statefile.ForChange, func(was []byte) ([]byte, error) {
		data, err := json.Marshal(next(decodeState(was)).bounded())
		if data = append(data, '\n'); bytes.Equal(data, was) {
			return nil, atomicfile.ErrUnchanged
		}
		return data, err
	})
}

// merged returns found with the differences between before and now applied.
func merged(before, now, found State) State {
	if now.Theme != before.Theme {
		found.Theme = now.Theme
	}
	if now.Store != before.Store || now.Record != before.Record {
		found.Store, found.Record = now.Store, now.Record
	}
	if !slices.Equal(now.Folded, before.Folded) {
		found.Folded = now.Folded
	}
	found.Lists = changedItems(before.Lists, now.Lists, found.Lists)
	found.Orders = changedItems(before.Orders, now.Orders, found.Orders)
	found.Drafts = added(before.Drafts, now.Drafts, slices.DeleteFunc(found.Drafts, func(s string) bool {
		return slices.Contains(before.Drafts, s) && !slices.Contains(now.Drafts, s) // the beginning of a longer draft
	}))
	found.Seen = added(before.Seen, now.Seen, found.Seen)
	return found
}

func changedItems[V any](before, now, found map[string]V) map[string]V {
	found = maps.Clone(found)
	for key, v := range now {
		if was, ok := before[key]; ok && reflect.DeepEqual(was, v) {
			continue
		}
		if found == nil {
			found = map[string]V{}
		}
		found[key] = v
	}
	return found
}

// added returns found with the items of now that before did not have, in front.
func added(before, now, found []string) (list []string) {
	for _, s := range now {
		if !slices.Contains(before, s) {
			list = append(list, s)
		}
	}
	return memory.AppendNew(list, found...)
}

// redacted returns s without secrets, which may be typed, or in the names of files and records.
func (s State) redacted() State {
	s.Theme, s.Store = detect.Redact(s.Theme), memory.StoreID(detect.Redact(string(s.Store)))
	s.Record = memory.ID(detect.Redact(string(s.Record)))
	s.Folded, s.Drafts, s.Seen = redactedList(s.Folded), redactedList(s.Drafts), redactedList(s.Seen)
	lists, orders := s.Lists, s.Orders
	s.Lists, s.Orders = nil, nil
	for name, l := range lists {
		if s.Lists == nil {
			s.Lists = map[string]List{}
		}
		s.Lists[detect.Redact(name)] = l
	}
	for kind, o := range orders {
		if s.Orders == nil {
			s.Orders = map[string]Order{}
		}
		o.Sort, o.Filter, o.Columns = detect.Redact(o.Sort), detect.Redact(o.Filter), redactedList(o.Columns)
		s.Orders[detect.Redact(kind)] = o
	}
	return s
}

func redactedList(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = detect.Redact(list[i])
	}
	return list
}

// bounded returns s without anything beyond the limits.
func (s State) bounded() State {
	size := 0
	for i, draft := range s.Drafts {
		if size += len(draft); i >= MostDrafts || size > mostDrafts {
			s.Drafts = s.Drafts[:i:i]
			break
		}
	}
	s.Seen, s.Folded = s.Seen[:min(len(s.Seen), mostItems)], s.Folded[:min(len(s.Folded), mostItems)]
	if len(s.Lists) > mostItems || len(s.Orders) > mostItems {
		s.Lists, s.Orders = nil, nil
	}
	return s
}
