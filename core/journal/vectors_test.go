package journal

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"

	"winnow/core/jstext"
)

// vectors calls check with each line of the vectors of a kind.
func vectors(t *testing.T, kind string, check func(name string, input, want jstext.Value)) {
	t.Helper()
	dir := os.Getenv("WINNOW_VECTORS")
	if dir == "" {
		dir = filepath.FromSlash("../../testdata/vectors/karnevil9")
	}
	f, err := os.Open(filepath.Join(dir, kind+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	n := 0
	for lines.Scan() {
		v, err := jstext.Parse(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		name, _ := v.Field("name")
		input, _ := v.Field("input")
		want, _ := v.Field("want")
		check(name.Str(), input, want)
		n++
	}
	if err := lines.Err(); err != nil || n == 0 {
		t.Fatalf("%s: %d vectors, %v", kind, n, err)
	}
}

// text returns the string member, which may be given as its units.
func text(v jstext.Value, name string) string {
	f, _ := v.Field(name)
	list, ok := f.Field("$utf16")
	if !ok {
		return f.Str()
	}
	u := make([]uint16, list.Len())
	for i := range u {
		u[i] = uint16(list.At(i).Number())
	}
	return jstext.FromUnits(u)
}

// file returns the bytes of a journal, which may be given in base 64.
func file(t *testing.T, input jstext.Value) []byte {
	v, _ := input.Field("file")
	if b64, ok := v.Field("$b64"); ok {
		b, err := base64.StdEncoding.DecodeString(b64.Str())
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	return []byte(v.Str())
}

// described returns a report in the form of the vectors.
func described(r Report) jstext.Value {
	set := func(v *jstext.Value, key string, val jstext.Value) { *v = v.With(key, val) }
	verify, opening := jstext.ObjectValue(), jstext.ObjectValue()
	switch v := r.Verify; {
	case v.Stop != nil:
		set(&verify, "throws", jstext.StringValue("TypeError"))
	case v.Valid:
		set(&verify, "valid", jstext.BoolValue(true))
	default:
		set(&verify, "valid", jstext.BoolValue(false))
		set(&verify, "brokenAt", jstext.NumberValue(float64(v.BrokenAt)))
	}
	if o := r.Open; o.Stop != nil {
		set(&opening, "throws", jstext.StringValue("TypeError"))
	} else {
		set(&opening, "events", jstext.NumberValue(float64(o.Events)))
		set(&opening, "kept_bytes", jstext.NumberValue(float64(o.Bytes)))
		set(&opening, "next_seq", jstext.NumberValue(o.NextSeq))
		last := jstext.NullValue()
		if o.LastHash != "" {
			last = jstext.StringValue(o.LastHash)
		}
		set(&opening, "last_hash", last)
	}
	lessons := make([]jstext.Value, len(r.Lessons))
	for i, l := range r.Lessons {
		v := jstext.ObjectValue()
		for _, m := range l.members() {
			set(&v, m.Key, m.Value)
		}
		lessons[i] = v
	}
	strict := r.Open.Strict
	if strict == "" {
		strict = "ok"
	}
	all := jstext.ObjectValue()
	set(&all, "verify", verify)
	set(&all, "events", jstext.NumberValue(float64(r.Events)))
	set(&all, "lessons", jstext.ArrayValue(lessons...))
	set(&all, "init", opening)
	if r.Open.Stop == nil { // V8's words for a TypeError are not ours
		set(&all, "strict", jstext.StringValue(strict))
	}
	return all
}

// members are the fields of a lesson that are not null.
func (l Lesson) members() (m []jstext.Member) {
	for i, v := range [...]jstext.Value{l.Seq, l.Session, l.Time, l.ID, l.Outcome, l.Text} {
		if v.Kind() != jstext.Null {
			key := [...]string{"seq", "session_id", "timestamp", "lesson_id", "outcome", "lesson"}[i]
			m = append(m, jstext.Member{Key: key, Value: v})
		}
	}
	return m
}

// withoutNulls returns v without the null members of the objects in it.
func withoutNulls(list jstext.Value) jstext.Value {
	all := make([]jstext.Value, list.Len())
	for i := range all {
		all[i] = list.At(i)
		for j := range list.At(i).Len() {
			if list.At(i).At(j).Kind() == jstext.Null {
				all[i] = all[i].Without(list.At(i).Key(j))
			}
		}
	}
	return jstext.ArrayValue(all...)
}

// resolved returns v with every list of units below it as the string they make.
func resolved(v jstext.Value) jstext.Value {
	switch v.Kind() {
	case jstext.Array:
		list := make([]jstext.Value, v.Len())
		for i := range list {
			list[i] = resolved(v.At(i))
		}
		return jstext.ArrayValue(list...)
	case jstext.Object:
		if _, ok := v.Field("$utf16"); ok {
			return jstext.StringValue(text(jstext.ObjectValue(jstext.Member{Key: "x", Value: v}), "x"))
		}
		for i := range v.Len() {
			v = v.With(v.Key(i), resolved(v.At(i)))
		}
	}
	return v
}

func TestReportsAgreeWithVectors(t *testing.T) {
	check := func(name string, data []byte, want jstext.Value, o Options) {
		r, err := Read(t.Context(), bytes.NewReader(data), int64(len(data)), o)
		if err != nil {
			t.Fatal(err)
		}
		got := described(r)
		for i := range got.Len() {
			w, _ := want.Field(got.Key(i))
			if got.Key(i) == "lessons" {
				w = withoutNulls(w)
			}
			if g, w := got.At(i).AppendJSON(nil), resolved(w).AppendJSON(nil); !bytes.Equal(g, w) {
				t.Errorf("%s: %s:\n got %s\nwant %s", name, got.Key(i), g, w)
			}
		}
	}
	vectors(t, "journal", func(name string, input, want jstext.Value) {
		data := file(t, input)
		check(name, data, want, Options{})
		if newer, ok := want.Field("node24"); ok {
			check(name+" in node 24", data, newer, Options{Separators: true})
		} else {
			check(name+" in node 24", data, want, Options{Separators: true})
		}
	})
}
