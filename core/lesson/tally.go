package lesson

import "winnow/core/memory"

// Tally counts what is worth saying about the records of a store. It is filled
// record by record, after List.Mark, in the order of the store. The zero Tally is
// ready.
type Tally struct {
	Records    int
	Damaged    Lines
	Duplicates Lines // records whose id an earlier record has
	OddDates   Lines
	OddCounts  Lines
	Secrets    Lines
	Injections Lines
	PrunesSoon Lines
	NoText     Lines // held, and stop each search
	NoOutcome  Lines // held, and stop the session that recalls them
}

// Add counts one record.
func (t *Tally) Add(r *memory.Record) {
	t.Records++
	for _, f := range [...]struct {
		flag  memory.Flags
		lines *Lines
	}{
		{memory.FlagDamaged, &t.Damaged},
		{memory.FlagDuplicate, &t.Duplicates},
		{memory.FlagSecret, &t.Secrets},
		{memory.FlagInjection, &t.Injections},
		{memory.FlagPrunesSoon, &t.PrunesSoon},
	} {
		if r.Flags&f.flag != 0 {
			f.lines.Add(r.Line)
		}
	}
	t.addStop(r)
	if r.Flags&memory.FlagDamaged != 0 || r.Problem != nil && notRead(r.Problem.Code) {
		return
	}
	if !Regular(r.Created) || r.Used.Text != "" && !Regular(r.Used) {
		t.OddDates.Add(r.Line)
	}
	if r.Count.Odd != "" {
		t.OddCounts.Add(r.Line)
	}
}

func (t *Tally) addStop(r *memory.Record) {
	if r.Problem == nil || r.Flags&memory.FlagStops == 0 {
		return
	}
	switch r.Problem.Code {
	case CodeNoText:
		t.NoText.Add(r.Line)
	case CodeOddOutcome:
		t.NoOutcome.Add(r.Line)
	}
}

// notRead reports whether a record with the problem has no fields to judge.
func notRead(code string) bool {
	return code == CodeNullLine || code == CodeNotLesson || code == CodeTooLong
}
