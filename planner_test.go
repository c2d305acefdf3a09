package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/cli"
	"winnow/core/jstext"
)

// session is a run of the real agent: what it found, was asked, and sent.
type session struct {
	Name  string
	Input struct {
		File     *text
		Now      time.Time
		Agentic  bool
		TaskText text `json:"task_text"`
	}
	Want struct{ Prompts []text }
}

// text is a string of the vectors, in which UTF-16 units or bytes may stand for
// what JSON cannot hold.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*t = text(s)
		return nil
	}
	var odd struct {
		Units []uint16 `json:"$utf16"`
		Bytes string   `json:"$b64"`
	}
	if err := json.Unmarshal(raw, &odd); err != nil {
		return err
	}
	b, err := base64.StdEncoding.DecodeString(odd.Bytes)
	*t = text(jstext.FromUnits(odd.Units) + string(b))
	return err
}

func sessions(t *testing.T) (list []session) {
	t.Helper()
	dir := os.Getenv("WINNOW_VECTORS")
	if dir == "" {
		dir = filepath.Join("testdata", "vectors", "karnevil9")
	}
	f, err := os.Open(filepath.Join(dir, "e2e.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var s session
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	if err := lines.Err(); err != nil || len(list) == 0 {
		t.Fatalf("%d sessions in %s: %v", len(list), f.Name(), err)
	}
	return list
}

// TestRecallPrintsWhatThePlannerWasSent replays sessions of the real agent. Where
// it sent nothing, because it had stopped before, so do we. Later prompts of a
// session hold what happened in between, and are not recalls.
func TestRecallPrintsWhatThePlannerWasSent(t *testing.T) {
	for _, s := range sessions(t) {
		t.Run(s.Name, func(t *testing.T) {
			store := filepath.Join(t.TempDir(), "memory.jsonl")
			if s.Input.File != nil {
				if err := os.WriteFile(store, []byte(*s.Input.File), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			mode := "single"
			if s.Input.Agentic {
				mode = "agentic"
			}
			now := func() time.Time { return s.Input.Now.UTC() }
			for _, task := range [][]string{{"--task", string(s.Input.TaskText)}, {"-"}} {
				var stdout, stderr bytes.Buffer
				args := append([]string{"recall", "--store", store, "--mode", mode, "--format", "prompt"}, task...)
				status := cli.Run(t.Context(), world(strings.NewReader(string(s.Input.TaskText)), &stdout, &stderr, now), args)
				if len(s.Want.Prompts) == 0 {
					if status != 5 || stdout.Len() > 0 {
						t.Errorf("exit status %d, want 5; it prints %q", status, &stdout)
					}
					continue
				}
				if want := jstext.WellFormed(string(s.Want.Prompts[0])); status != 0 || stdout.String() != want {
					t.Errorf("exit status %d\n%sit prints %q\nwant      %q", status, &stderr, &stdout, want)
				}
			}
		})
	}
}

func TestTaskIsDecodedAsAnAgentWould(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "",
		"plain é 🙂\n":               "plain é 🙂\n",
		"\xff":                      "\uFFFD",
		"a\xe2\x82b":                "a\uFFFDb",
		"\xed\xa0\xbd":              "\xed\xa0\xbd",
		"x\xed\xa0\xbd\xed\xb8\x80": "x\U0001F600",
		"\xed\xb8\x80\xed\xa0\xbd!": "\xed\xb8\x80\xed\xa0\xbd!",
		"\xffa\xed\xa0\xbdb\xff":    "\uFFFDa\xed\xa0\xbdb\uFFFD",
	} {
		if got := taskText([]byte(in)); got != want {
			t.Errorf("%q is decoded as %q, want %q", in, got, want)
		}
	}
}
