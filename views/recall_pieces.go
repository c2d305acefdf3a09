package views

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/theme"
)

// Blocks returns the texts that the system injects: the one that depends on the task, those that
// are always there, and the whole prompt.
func (v Recall) Blocks() []memory.Block {
	var all []memory.Block
	r := v.Result
	if r.Block.Text != "" {
		all = append(all, r.Block)
	}
	all = append(all, r.Also...)
	if r.Prompt.Text != "" {
		all = append(all, r.Prompt)
	}
	return all
}

// injected is Blocks without the whole prompt, which contains the others.
func (v Recall) injected() []memory.Block {
	all := v.Blocks()
	if v.Result.Prompt.Text != "" && len(all) > 1 {
		all = all[:len(all)-1]
	}
	return all
}

// Shown returns the text on the right side.
func (v Recall) Shown() memory.Block {
	all := v.Blocks()
	if len(all) == 0 || v.Result.Block.Text == "" && v.Described.Draft.TextOnly {
		return memory.Block{}
	}
	return all[min(max(v.Block, 0), len(all)-1)]
}

// textName returns the title of the shown text.
func (v Recall) textName() string {
	b := v.Shown()
	name, where := v.Mask.line(b.Name, 80), strings.TrimPrefix(v.Mask.line(b.Where, 60), "the ")
	if where != "" && !strings.EqualFold(name, where) {
		name = joined(", ", name, "in the "+where)
	}
	n := len(v.Blocks())
	return cmp.Or(textIf(n > 1 && name != "", "%d/%d ", min(v.Block, n-1)+1, n)+name, "Exact text")
}

// PieceRow is a piece: a part of one of Blocks, or all of it.
type PieceRow struct {
	Block int
	Part  memory.Part
	Whole bool
}

// PieceRows returns the pieces of all texts, in order. If only the text for the task matters, it
// returns none and the hits are listed.
func (v Recall) PieceRows() []PieceRow {
	if v.Described.Draft.TextOnly {
		return nil
	}
	var rows []PieceRow
	for i, b := range v.injected() {
		if len(b.Parts) == 0 {
			rows = append(rows, PieceRow{Block: i, Whole: true, Part: memory.Part{
				Name: b.Name, End: len(b.Text), TokensLow: b.TokensLow, TokensHigh: b.TokensHigh, Note: b.Where,
			}})
		}
		for _, p := range b.Parts {
			rows = append(rows, PieceRow{Block: i, Part: p})
		}
	}
	return rows
}

// listsPieces reports whether the table lists the pieces of the texts.
func (v Recall) listsPieces() bool {
	return v.Ready && (v.Pieces || len(v.Result.Hits) == 0) && len(v.PieceRows()) > 0
}

// Piece returns the selected piece, if the table lists pieces.
func (v Recall) Piece() (PieceRow, bool) {
	rows := v.PieceRows()
	if !v.listsPieces() || v.Cursor < 0 || v.Cursor >= len(rows) {
		return PieceRow{}, false
	}
	return rows[v.Cursor], true
}

// tableName says what the table lists.
func (v Recall) tableName() string {
	key := keyOf(v.keys().Recall.Parts)
	switch {
	case !v.Ready, v.Described.Draft.TextOnly:
		return ""
	case v.listsPieces():
		var size memory.Size
		for _, b := range v.injected() {
			size.Bytes += len(b.Text)
			size.TokensLow, size.TokensHigh = size.TokensLow+b.TokensLow, size.TokensHigh+b.TokensHigh
		}
		n := len(v.Result.Hits)
		return fmt.Sprintf(
			"what is injected: %s, %s-%s tokens",
			ByteSize(int64(size.Bytes)),
			short(size.TokensLow),
			short(size.TokensHigh),
		) +
			textIf(
				n > 0,
				" (%s: %s)",
				key,
				memory.Counted(n, "hit"),
			)
	case len(v.Result.Hits) > 0 && v.Task.Text == "":
		return "sent whatever the task is (" + key + ": its pieces)"
	}
	return "found for the task" + textIf(
		len(v.Result.Hits) > 0 && len(v.PieceRows()) > 0,
		" (%s: what is injected)",
		key,
	)
}

// pieceColumns returns the columns of the table of pieces, except the last one with names.
func pieceColumns() columns {
	return columns{
		{title: "  #", width: 3},
		{title: "Bytes", width: 8, right: true},
		{title: "Tokens", width: 8, right: true},
	}
}

func (v Recall) pieceRow(t theme.Theme, w, i int, r PieceRow) string {
	p := r.Part
	name := cmp.Or(v.Mask.line(p.Name, w), cutFront(t, v.Mask.line(p.Path, 4*max(w, 1)), max(w/3, 8)))
	left := pieceColumns().line(t, Right(t, strconv.Itoa(i+1), 3), short(p.End-p.Start), "<"+short(p.TokensHigh))[1:] +
		"  "
	room := max(w-Width(left)-1, 0)
	line := left + truncate(t, name, room)
	if beside := room - min(Width(name), room/2) - 2; beside >= 8 {
		rest := v.Mask.line(p.Note, beside)
		if p.Path != "" {
			rest = cutFront(t, v.Mask.line(p.Path, 400), beside)
		}
		line = left + Cell(t, name, room-beside-2) + "  " + t.Dim.Render(truncate(t, rest, beside))
	}
	return v.row(t, i, theme.Style{}, Cell(t, v.sign(i)+line, w))
}

// pieceText says what was done to the selected piece, or returns nothing.
func (v Recall) pieceText() string {
	row, ok := v.Piece()
	if !ok || row.Part.Note == "" || row.Whole {
		return ""
	}
	return strconv.Itoa(v.Cursor+1) + ": " + v.Mask.line(row.Part.Note, 300)
}

// LineOf returns the line of the shown text that contains byte at, on a screen of w by h cells.
func (v Recall) LineOf(w, h, at int) int {
	b := v.Shown()
	at = min(max(at, 0), len(b.Text))
	b.Text = b.Text[:at]
	var marks []memory.Mark
	for _, m := range b.Marks {
		if m.End <= at {
			marks = append(marks, m)
		}
	}
	b.Marks = marks
	panel := cmp.Or(v.panes(w, h).Detail.Dx(), w)
	return max(len(v.blockLines(theme.Theme{}, b, max(panel-2, 0)))-1, 0)
}
