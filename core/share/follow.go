package share

import (
	"maps"
	"strings"
	"time"
)

// Changed are the objects that a file of a share was at one commit, and is at another; empty for none.
type Changed struct{ Was, Is string }

// Following reads what changed in a share since a base knew all of it. A merge then looks at nothing else of the share.
type Following struct {
	*Reader
	base    *Base
	changed map[string]Changed // lessons and tombstones, by path
	counted map[string]Changed // files of counts
	touched map[string]bool    // lessons of which a file or a count changed, by id
}

// Follow begins to read a share that differs from that of the base in these files, by path. It is nil where all of the share has to
// be read: the base does not know all of it, its settings changed, or a deletion has expired.
func (b *Base) Follow(machine string, now time.Time, changed map[string]Changed) *Following {
	if b == nil || b.Commit == "" || len(b.lines)+len(b.file.lines) > MaxFiles || !b.until.IsZero() && now.After(b.until) {
		return nil
	}
	f := &Following{Reader: NewReader(machine), base: b, changed: map[string]Changed{}, counted: map[string]Changed{}, touched: map[string]bool{}}
	f.state.Settings, f.settings, f.state.since = Settings{Version: Version, ExpiryDays: b.days}, nil, b
	for path, c := range changed {
		switch {
		case path == ReadmeFile || !Known(path):
		case strings.HasPrefix(path, CountFiles):
			f.counted[path] = c
		case path == SettingsFile || !f.touch(path, c):
			return nil
		}
	}
	return f
}

// touch notes that a lesson or a tombstone changed. It is false where the base had another one.
func (f *Following) touch(path string, c Changed) bool {
	folder, _, _ := strings.Cut(path, "/")
	name, _ := trimName(path, folder+"/")
	id := name
	if !Machine(name) { // not the id itself: of a new one, the file tells it
		id = ""
		for each := range f.base.all() {
			if Name(each) == name {
				id = each
			}
		}
	}
	f.changed[path], f.touched[id] = c, true
	l := f.base.line(id)
	return c.Was == map[string]string{Lessons: l.object, Tombstones: l.tomb}[folder+"/"]
}

// before begins the path of a file of counts as it was.
const before = "before/"

// Counts returns the objects of the counts that changed, by path, as they are and as they were.
func (f *Following) Counts() map[string]string {
	all := map[string]string{}
	for path, c := range f.counted {
		all[path], all[before+path] = c.Is, c.Was
	}
	maps.DeleteFunc(all, func(_, object string) bool { return object == "" })
	return all
}

// Recount takes the files of counts that Counts names. It is false where the sums have to be made anew from all machines' counts.
func (f *Following) Recount(files map[string][]byte) bool {
	for path := range f.counted {
		name, _ := trimName(path, CountFiles)
		then, err := countsOf(files[before+path])
		now, err2 := countsOf(files[path])
		if err != nil || err2 != nil || !Machine(name) {
			return false
		}
		ids := maps.Clone(then)
		maps.Copy(ids, now)
		for id := range ids {
			if then[id] != now[id] && !f.recount(id, name == f.machine, then[id], now[id]) {
				return false
			}
		}
	}
	return true
}

// countsOf reads a file of counts; nil is none.
func countsOf(data []byte) (Counts, error) {
	if data == nil {
		return Counts{}, nil
	}
	return ReadCounts(data)
}

// recount takes what a machine, this one or another, counted of a lesson then and now. The date of the last use is the latest
// of all machines' dates: when that one goes back, nobody knows the next.
func (f *Following) recount(id string, mine bool, then, now Count) bool {
	own, others := f.state.counts(id)
	if mine {
		own = now
	} else {
		if others.N < then.N || others.N >= MostCounted || then.Used == others.Used && now.Used < then.Used {
			return false
		}
		others = Count{N: others.N - then.N}.plus(now).plus(Count{Used: others.Used})
	}
	f.state.Own[id], f.state.Others[id], f.touched[id] = own, others, true
	return true
}

// Look finds the lessons that a merge has to look at, as [Base.Look] does. Lines name what the store holds by id.
func (f *Following) Look(lines map[string]string) {
	f.base.open = f.touched
	for id, l := range f.base.all() {
		if !l.holds(lines[id]) {
			f.base.open[id] = true
		}
	}
}

// Files returns the objects of the lessons and tombstones that are to be read, by path.
func (f *Following) Files() map[string]string {
	all := map[string]string{}
	for id, l := range f.base.looked() {
		all[pathOf(Lessons, id)], all[pathOf(Tombstones, id)] = l.object, l.tomb
	}
	for path, c := range f.changed {
		all[path] = c.Is
	}
	maps.DeleteFunc(all, func(_, object string) bool { return object == "" })
	return all
}
