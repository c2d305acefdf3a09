package history

import (
	"encoding/base64"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// The history uses a small part of JSON: objects, arrays, strings, integers and true. Empty values
// are left out. A text that is not UTF-8 is written as {"base64":"..."}, so that stored forms are
// preserved byte for byte. Opening a store replays its whole history, so lines are read with
// jstext.Scan: encoding/json takes four times as long.

// format lists the members of each type as name=Field, in the order in which they are written. A
// name must never change its meaning. An asterisk marks texts from a person or a store, which a
// redaction cleans. A question mark marks a list that is also written when it is empty but not nil.
var format = map[reflect.Type]string{
	reflect.TypeFor[line](): "kind=Kind format=Format store=Store id=ID at=At who=Who act=Do what=What* final=Final omitted=Omitted " +
		"undoes=Undoes redoes=Redoes temp=Temp changes=Changes* key=Key scrubs=Scrubs kept=Kept* decided=Decided* " +
		"record=Record* how=How state=State pins=Pins* pins_at=PinsAt sum=Sum* splices=Splices*",
	reflect.TypeFor[memory.Change](): "do=Do id=ID* before=Before* after=After* line=Line behind=Behind* why=Why* twins=Twins " +
		"spot=Position sums=Sums",
	reflect.TypeFor[memory.Position](): "above=Above blank=Blank under=Under beside=Beside alike=Alike mode=Mode date=Date",
	reflect.TypeFor[memory.Splices]():  "from=From to=To parts=Parts*?",
	reflect.TypeFor[memory.Splice]():   "at=At old=Old* new=New*",
	reflect.TypeFor[Scrub]():           "kind=Kind len=Len hint=Hint sum=Sum",
	reflect.TypeFor[decision]():        "id=ID* decision=What",
	reflect.TypeFor[sumLine](): "number=Number pins=Pins* promises=Promises* undo=Undo redo=Redo decided=Decided* " +
		"redactions=Redactions*?",
	reflect.TypeFor[promiseLine](): "id=ID* gone=Gone was=Was* made=Made* mine=Mine* entry=Entry at=At line=Line behind=Behind* " +
		"twins=Twins pinned=Pinned unsaved=Unsaved times=Times states=States last=Last ruled=Ruled",
	reflect.TypeFor[Step]():      "name=Name by=By",
	reflect.TypeFor[Redaction](): "entry=Entry at=At key=Key scrubs=Scrubs kept=Kept* seen=Seen*",
	reflect.TypeFor[Sighting]():  "id=ID* times=Times states=States last=Last",
}

// member is one member of an object, and the field that it is stored in.
type member struct {
	name         string
	field        []int
	clean, empty bool
}

// members are the members of each type in format.
var members = sync.OnceValue(func() map[reflect.Type][]member {
	all := map[reflect.Type][]member{}
	for t, list := range format {
		for entry := range strings.FieldsSeq(list) {
			name, field, _ := strings.Cut(entry, "=")
			f, _ := t.FieldByName(strings.TrimRight(field, "*?"))
			all[t] = append(all[t], member{name, f.Index, strings.Contains(field, "*"), strings.Contains(field, "?")})
		}
	}
	return all
})

// written appends the JSON of a value.
func written(b []byte, v reflect.Value) []byte {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		return appendText(b, instant(*p))
	case *memory.ChangeKind:
		return appendText(b, p.String())
	}
	switch v.Kind() {
	case reflect.String:
		return appendText(b, v.String())
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Pointer:
		return written(b, v.Elem())
	case reflect.Struct:
		return writtenObject(b, v)
	case reflect.Slice:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = written(b, v.Index(i))
		}
		return append(b, ']')
	}
	if v.CanUint() {
		return strconv.AppendUint(b, v.Uint(), 10)
	}
	return strconv.AppendInt(b, v.Int(), 10)
}

func writtenObject(b []byte, v reflect.Value) []byte {
	b = append(b, '{')
	start := len(b)
	for _, m := range members()[v.Type()] {
		f := v.FieldByIndex(m.field)
		t, isTime := f.Addr().Interface().(*time.Time)
		_, isKind := f.Addr().Interface().(*memory.ChangeKind)
		if isTime && t.IsZero() || f.IsZero() && !isKind || f.Kind() == reflect.Slice && f.Len() == 0 && !m.empty {
			continue
		}
		if len(b) > start {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), m.name...), `":`...)
		b = written(b, f)
	}
	return append(b, '}')
}

// instant returns a time as text. A time outside the years 0 to 9999, caused by a wrong clock, is
// written as the nearest one that can be read again.
func instant(t time.Time) string {
	switch t = t.UTC(); {
	case t.Year() > 9999:
		t = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	case t.Year() < 0:
		t = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return t.Format(time.RFC3339Nano)
}

func appendText(b []byte, s string) []byte {
	if utf8.ValidString(s) {
		return jstext.AppendQuoted(b, s)
	}
	b = append(b, `{"base64":"`...)
	b = base64.StdEncoding.AppendEncode(b, []byte(s))
	return append(b, '"', '}')
}

// codec reads values. bad is set at the first error.
type codec struct {
	brief bool // skips splices
	bad   bool
}

// read parses a value from its JSON.
func (c *codec) read(v reflect.Value, value string) {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		t, err := time.Parse(time.RFC3339Nano, c.text(value))
		*p, c.bad = t, c.bad || err != nil
		return
	case *memory.ChangeKind:
		name := c.text(value)
		for *p = memory.Deleting; p.String() != name && !c.bad; *p++ {
			c.bad = *p == memory.Unpinning
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(c.text(value))
	case reflect.Bool:
		v.SetBool(value == "true")
		c.bad = value != "true" && value != "false"
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		c.read(v.Elem(), value)
	case reflect.Struct:
		c.object(v, value)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		c.each(jstext.Array, value, func(p jstext.Part) {
			n := v.Len()
			v.Grow(1)
			v.SetLen(n + 1)
			c.read(v.Index(n), p.Value)
		})
	default:
		n, err := strconv.ParseInt(value, 10, 64)
		if c.bad = err != nil; v.CanUint() {
			v.SetUint(uint64(n))
		} else {
			v.SetInt(n)
		}
	}
}

// object reads the members of an object. It skips unknown ones.
func (c *codec) object(v reflect.Value, value string) {
	all := members()[v.Type()]
	c.each(jstext.Object, value, func(p jstext.Part) {
		name := p.Name()
		if i := slices.IndexFunc(all, func(m member) bool { return m.name == name }); i >= 0 && !(c.brief && name == "splices") {
			c.read(v.FieldByIndex(all[i].field), p.Value)
		}
	})
}

// each calls do for each member or element of a value.
func (c *codec) each(want jstext.Kind, value string, do func(jstext.Part)) {
	kind, err := jstext.Scan(value, func(p jstext.Part) bool {
		if c.bad = (p.Key == "") == (want == jstext.Object); !c.bad {
			do(p)
		}
		return !c.bad
	})
	c.bad = c.bad || kind != want || err != nil
}

// text returns a string that does not share the bytes of its line.
func (c *codec) text(value string) (s string) {
	if value[0] == '{' {
		c.each(jstext.Object, value, func(p jstext.Part) {
			b, err := base64.StdEncoding.DecodeString(jstext.Text(p.Value))
			s, c.bad = string(b), err != nil || p.Name() != "base64"
		})
		return s
	}
	c.bad = value[0] != '"'
	if s = jstext.Text(value); len(s) == len(value)-2 {
		s = strings.Clone(s)
	}
	return s
}

// cleanTexts replaces the texts from a person or a store with the results of clean.
func cleanTexts(v reflect.Value, clean func(string) string) {
	switch v.Kind() {
	case reflect.String:
		if v.Len() > 0 {
			v.SetString(clean(v.String()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			cleanTexts(v.Elem(), clean)
		}
	case reflect.Slice:
		for i := range v.Len() {
			cleanTexts(v.Index(i), clean)
		}
	case reflect.Struct:
		for _, m := range members()[v.Type()] {
			if m.clean {
				cleanTexts(v.FieldByIndex(m.field), clean)
			}
		}
	}
}
