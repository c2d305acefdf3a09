package share

import (
	"maps"
	"strings"
	"time"
)

// Changed are the objects of one file at an older and a newer commit of a share; "" means no file.
type Changed struct{ Was, Is string }

// Following reads only what changed in a share since a base that described all of it. A merge then
// looks at nothing else in the share.
type Following struct {
	*Reader
	base    *Base
	changed map[string]Changed // lessons and tombstones, by path
	counted map[string]Changed // files of counts
	touched map[string]bool    // ids of the lessons whose file, tombstone or count changed
}

// Follow begins to read the share, given the files that changed since the base, by path. It returns
// nil if the whole share must be read: the base does not describe all of it or another version of a
// changed file, the settings changed, or a deletion has expired.
func (b *Base) Follow(machine string, now time.Time, changed map[string]Changed) *Following {
	if b == nil || b.Commit == "" || b.size() > MaxFiles || !b.until.IsZero() && now.After(b.until) {
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

// touch records that a lesson or a tombstone changed. It reports whether the base has the old object.
func (f *Following) touch(path string, c Changed) bool {
	folder, _, _ := strings.Cut(path, "/")
	name, _ := trimName(path, folder+"/")
	id := name
	if !Machine(name) { // the name is not the id; a new lesson's id is in its file
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

// before is the prefix for the path of a counts file in its old version.
const before = "before/"

// Counts returns the new and the old objects of the counts files that changed, by path. The paths of
// old ones begin with "before/".
func (f *Following) Counts() map[string]string {
	all := map[string]string{}
	for path, c := range f.counted {
		all[path], all[before+path] = c.Is, c.Was
	}
	maps.DeleteFunc(all, func(_, object string) bool { return object == "" })
	return all
}

// Recount takes the files that Counts named, and updates the sums. It returns false if the sums can
// only be made again from the counts of all machines.
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

// countsOf parses a file of counts; nil is no file.
func countsOf(data []byte) (Counts, error) {
	if data == nil {
		return Counts{}, nil
	}
	return ReadCounts(data)
}

// recount replaces one machine's old count of a lesson by its new one; mine means this machine. The
// date of the last use is the latest of all machines. If the machine that had it goes back, the next
// latest is not known, and recount returns false.
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

// Look finds the lessons that a merge must look at, as [Base.Look] does. Lines name the store's lines
// by id.
func (f *Following) Look(lines map[string]string) {
	f.base.open = f.touched
	for id, l := range f.base.all() {
		if !l.holds(lines[id]) {
			f.base.open[id] = true
		}
	}
}

// Files returns the objects of the lessons and tombstones to read, by path.
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
