package jstext

import (
	"slices"
	"strings"
	"testing"
)

func TestScanNamesPartsWhereTheyStand(t *testing.T) {
	const text = " {\"a\" : 1, \"\\u0062\":[ {\"c\":\"}\"} ] ,\"a\":\"x\\\"\"} "
	var got []string
	kind, err := Scan(text, func(p Part) bool {
		if text[p.KeyAt:p.KeyAt+len(p.Key)] != p.Key || text[p.At:p.At+len(p.Value)] != p.Value {
			t.Errorf("%+v does not stand there", p)
		}
		got = append(got, p.Name()+"="+p.Value)
		return true
	})
	want := []string{"a=1", `b=[ {"c":"}"} ]`, `a="x\""`}
	if err != nil || kind != Object || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, %v, want %q", got, kind, err, want)
	}
	n := 0
	if kind, err := Scan("[1,2,oops", func(Part) bool { n++; return n < 2 }); kind != Array || err != nil || n != 2 {
		t.Errorf("stopped after %d with %v, %v", n, kind, err)
	}
	if kind, err := Scan(" 12 ", func(Part) bool { t.Error("a number has parts"); return true }); kind != Number ||
		err != nil {
		t.Errorf("a number is %v, %v", kind, err)
	}
}

func TestScanRefusesDepthAsParseDoes(t *testing.T) {
	for _, depth := range []int{maxDepth - 1, maxDepth, maxDepth + 1} {
		text := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		_, want := Parse(text)
		if _, err := Scan(text, func(Part) bool { return true }); (err == nil) != (want == nil) {
			t.Errorf("%d deep: %v, and Parse says %v", depth, err, want)
		}
	}
}

func FuzzScanReadsAsParse(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,"\ud83d",{"2":null,"1":true}],"a":{}}`, lesson, "[1,\"\x01\"]", `{"\u0061":tru}`, ` "x" `, `{"a" 1}`,
		"[1}", `["\uD83D\uDE0x"]`, "{}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = Decode([]byte(text))
		var members []Member
		kind, err := Scan(text, func(p Part) bool {
			v, err := Parse(p.Value)
			if err != nil {
				t.Fatalf("%q has the part %q: %v", text, p.Value, err)
			}
			if Text(p.Value) != v.Str() {
				t.Fatalf("%q is %q, want %q", p.Value, Text(p.Value), v.Str())
			}
			members = append(members, Member{p.Name(), v})
			return true
		})
		v, want := Parse(text)
		if want != nil || err != nil {
			if want == nil || err == nil || want.Error() != err.Error() {
				t.Fatalf("scan %q: %v, and Parse says %v", text, err, want)
			}
			return
		}
		made := v
		switch kind {
		case Object:
			made = ObjectValue(members...)
		case Array:
			elements := make([]Value, len(members))
			for i := range members {
				elements[i] = members[i].Value
			}
			made = ArrayValue(elements...)
		}
		if kind != v.Kind() || string(made.AppendJSON(nil)) != string(v.AppendJSON(nil)) {
			t.Fatalf("%q scans as %s", text, made.AppendJSON(nil))
		}
	})
}

func BenchmarkScanLesson(b *testing.B) {
	b.SetBytes(int64(len(lesson)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Scan(lesson, func(Part) bool { return true }); err != nil {
			b.Fatal(err)
		}
	}
}
