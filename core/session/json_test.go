package session

import (
	"fmt"
	"strings"
	"testing"
)

func TestTextsOfEveryFormAreFound(t *testing.T) {
	for content, want := range map[string]string{
		`"a"`: "a", `{"type":"text","text":"a"}`: "a", `["a",{"text":"b"},{"image":1},7]`: "a|b||",
		`{"content":[{"text":"a"}],"success":true}`: "a",
		`{"content":"a"}`: "a", `[]`: "", `null`: "", `7`: "", `{"text":7}`: "", "": "", `"\ud800"`: "\ufffd",
		strings.Repeat("[", 5000) + strings.Repeat("]", 5000): "",
	} {
		if got := strings.Join(Texts([]byte(content)), "|"); got != want {
			t.Errorf("%.60s: %q, want %q", content, got, want)
		}
	}
}

func TestLineThatIsNoObjectIsCounted(t *testing.T) {
	var s Session
	var into struct{ Type string }
	for _, line := range []string{"", "  \n", `{"torn`, "[1]", "null", `{"type":7}`, ` {"type":"a"} `} {
		if ok := s.DecodeLine([]byte(line), &into); ok != strings.HasSuffix(strings.TrimSpace(line), "}") {
			t.Errorf("%q: %t", line, ok)
		}
	}
	s.DecodeLine(nil, &into)
	if into.Type != "a" || fmt.Sprint(s.Unknown) != "map[line that is no JSON:3 line that is too long:1]" {
		t.Errorf("%+v, unknown %v", into, s.Unknown)
	}
}

func TestMoreThanIsKeptOfWhatWasGivenIsSaid(t *testing.T) {
	var s Session
	for range 2 {
		s.AddGiven(Given{Source: "hook", Text: "a"})
		s.AddGiven(Given{Source: "hook", Text: " \n"})
	}
	if len(s.Given) != 1 || s.GivenPartly {
		t.Errorf("given %+v, partly %t", s.Given, s.GivenPartly)
	}
	s.AddGiven(Given{Source: "hook", Text: strings.Repeat("b", 8<<20)})
	if len(s.Given) != 1 || !s.GivenPartly {
		t.Errorf("%d are given, partly %t", len(s.Given), s.GivenPartly)
	}
}

func TestCutTextStaysTheSameWhenItIsCutAgain(t *testing.T) {
	once := Cut(strings.Repeat("ö", MostText))
	if len(once) > MostText || Cut(once) != once ||
		!strings.HasSuffix(once, fmt.Sprintf("ö … (%d bytes)", 2*MostText)) {
		t.Errorf("it is %d bytes long and ends in %q", len(once), once[len(once)-30:])
	}
}
