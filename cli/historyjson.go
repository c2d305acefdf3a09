package cli

import (
	"time"

	"winnow/core/memory"
)

type historyJSON struct {
	Schema  int       `json:"schema"`
	Store   storeJSON `json:"store"`
	Path    text      `json:"path"`
	Size    int64     `json:"size"`
	Damaged int       `json:"damaged"`
	// Unfinished says why an interrupted change could be neither finished nor taken back.
	Unfinished text        `json:"unfinished"`
	Undo       string      `json:"undo"`
	Redo       string      `json:"redo"`
	Entries    []entryJSON `json:"entries"`
}

type entryJSON struct {
	Entry    string       `json:"entry"`
	At       *time.Time   `json:"at"`
	Who      string       `json:"who"`
	Do       string       `json:"do"`
	What     text         `json:"what"`
	Final    bool         `json:"final"`
	Undoes   string       `json:"undoes"`
	UndoneBy string       `json:"undone_by"`
	Omitted  int          `json:"omitted"`
	Changes  []changeJSON `json:"changes"`
}

// historyJSON returns what is said of a history, without its entries.
func (o *output) historyJSON(place memory.Place, h memory.History) historyJSON {
	return historyJSON{
		Schema: schemaVersion, Store: o.placeJSON(place), Path: text(h.Path), Size: h.Size, Damaged: h.Damaged,
		Unfinished: text(o.hidden(h.Unfinished)),
		Undo:       string(h.Undo), Redo: string(h.Redo), Entries: []entryJSON{},
	}
}

func (o *output) entryJSON(n *memory.Entry) entryJSON {
	return entryJSON{
		Entry: string(n.ID), At: instant(n.At), Who: string(n.Who), Do: string(n.Do), What: o.said(n.What), Final: n.Final,
		Undoes: string(n.Undoes), UndoneBy: string(n.UndoneBy), Omitted: n.Omitted, Changes: o.changesJSON(n.Changes),
	}
}
