package journal

import (
	"bytes"
	"testing"

	"winnow/core/jstext"
	"winnow/core/vectortest"
)

// described returns a report in the form of the vectors.
func described(r Report) jstext.Value {
	set := func(v *jstext.Value, key string, val jstext.Value) { *v = v.With(key, val) }
	isTrue, _ := jstext.Parse("true")
	isFalse, _ := jstext.Parse("false")
	verify, opening := jstext.ObjectValue(), jstext.ObjectValue()
	switch v := r.Verify; {
	case v.Stop != nil:
		set(&verify, "throws", jstext.StringValue("TypeError"))
	case v.Valid:
		set(&verify, "valid", isTrue)
	default:
		set(&verify, "valid", isFalse)
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
	if r.Open.Stop == nil { // we do not use V8's words for a TypeError
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

// withoutNulls returns v without null members in its objects.
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

func TestReportsAgreeWithVectors(t *testing.T) {
	check := func(t *testing.T, name string, data []byte, want vectortest.Value, o Options) {
		r, err := read(t.Context(), bytes.NewReader(data), int64(len(data)), o)
		if err != nil {
			t.Fatal(err)
		}
		got := described(r)
		for i := range got.Len() {
			w := want.Member(got.Key(i)).Resolved()
			if got.Key(i) == "lessons" {
				w = withoutNulls(w)
			}
			if g, w := got.At(i).AppendJSON(nil), w.AppendJSON(nil); !bytes.Equal(g, w) {
				t.Errorf("%s: %s:\n got %s\nwant %s", name, got.Key(i), g, w)
			}
		}
	}
	vectortest.Each(t, "karnevil9", "journal", func(t *testing.T, v vectortest.Vector) {
		data, newer := v.Input.Member("file").File(t), v.Want
		check(t, "node 20", data, v.Want, Options{})
		if v.Want.Has("node24") {
			newer = v.Want.Member("node24")
		}
		check(t, "node 24", data, newer, Options{Separators: true})
	})
}
