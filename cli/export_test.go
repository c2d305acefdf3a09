package cli

import (
	"os"
	"path/filepath"
	"testing"

	"winnow/core/memory"
)

// copied is a testEnv whose copy for sharing is data, with a finding of that severity.
func copied(s memory.Severity) (*testEnv, *fakeAuditor) {
	w, d := onFakeAuditor()
	d.shared = memory.Shared{
		Data:     []byte("{\"copy\":1}\n"),
		Records:  1,
		Redacted: 2,
		Homes:    1,
		Sessions: 1,
		Audit:    memory.Audit{Files: 1, Records: 1},
		Dropped:  []memory.Kept{{Record: memory.Record{ID: "line 4"}, Why: "it is no JSON"}},
	}
	if s > 0 {
		d.shared.Audit.Findings = []memory.Finding{
			{Rule: "hidden-tag", Family: memory.FamilyHidden, Severity: s, Path: "copy"},
		}
	}
	return w, d
}

func TestASafeCopyIsWritten(t *testing.T) {
	w, d := copied(memory.Low)
	path := filepath.Join(t.TempDir(), "out.jsonl")
	w.said(t, exitOK, "export --share "+path, "Written to "+path+": 1 lesson, 2 secrets redacted, 1 home path replaced, 1 session id hashed.\n",
		"  left out line 4: it is no JSON\n", "No known problems in 1 file, 1 lesson; 1 note")
	if raw, _ := os.ReadFile(path); string(raw) != "{\"copy\":1}\n" || d.sharedOf.IDs != nil {
		t.Errorf("it holds %q, of %+v", raw, d.sharedOf)
	}
	w.said(t, exitFailure, "export --share "+path, "there is a file at "+path+" already", "--force")
	w.said(t, exitOK, "export --force --share "+path)
	w.said(t, exitOK, "export --force --json --share "+path, `"written": true`, `"verdict": "clean"`, `"id": "line 4"`)
}

func TestAnUnsafeCopyIsNotWritten(t *testing.T) {
	w, _ := copied(memory.High)
	path := filepath.Join(t.TempDir(), "out.jsonl")
	w.said(t, exitFound, "export --share "+path, "NOT SAFE TO SHARE: 1 high", "hidden-tag  "+path,
		"winnow: export: the copy is not safe to share, and was not written\n", "with --allow hidden-tag\n")
	w.said(t, exitFound, "export --json --share "+path, `"written": false`)
	if _, err := os.Stat(path); err == nil {
		t.Fatal("it was written")
	}
	w.said(t, exitOK, "export --allow hidden-tag --share "+path, "Written to ")
	w, _ = copied(memory.Medium)
	w.said(t, exitOK, "export --force --share "+path)
	w.said(t, exitFound, "export --force --fail-on review --share "+path)
	w, d := copied(0)
	d.shared.Audit.Failed = []memory.Unread{{Path: "copy"}}
	w.said(t, exitUnseen, "export --force --share "+path, "could not be audited, and was not written")
}

func TestACopyGoesToAPipe(t *testing.T) {
	w, _ := copied(0)
	if out := w.run(t, exitOK, "export", "--share", "-"); out != "{\"copy\":1}\n" {
		t.Errorf("it prints %q", out)
	}
	w.said(t, exitOK, "export --share -", "Written to -: 1 lesson", "No known problems in 1 file, 1 lesson")
	w, _ = copied(memory.High)
	if out := w.run(t, exitFound, "export", "--share", "-"); out != "" {
		t.Errorf("it prints %q", out)
	}
}

func TestOnlyChosenRecordsAreCopied(t *testing.T) {
	for args, want := range map[string]memory.ID{"aa1": "aa11", "--filter outcome:failed": "aa22"} {
		w, d := copied(0)
		w.said(t, exitOK, "export --share "+filepath.Join(t.TempDir(), "x")+" "+args)
		if len(d.sharedOf.IDs) != 1 || d.sharedOf.IDs[0] != want {
			t.Errorf("%s copies %q", args, d.sharedOf.IDs)
		}
	}
	w, _ := copied(0)
	w.said(t, exitNotFound, "export --share x --filter outcome:nosuch", "no record matches")
}

func TestExportRefusesWhatMakesNoSense(t *testing.T) {
	w, _ := copied(0)
	w.OutTTY = true
	for _, args := range []string{
		"export", "export --share -", "export --share - --json", "export --share x --fail-on y",
		"export --share x --allow nosuch", "export --share x aa11 --filter y",
	} {
		w.said(t, exitUsage, args, "winnow: export: "[:8])
	}
}

func TestTheStoreItselfIsNeverWrittenOver(t *testing.T) {
	w, _ := copied(0)
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	if err := os.WriteFile(path, []byte("store"), 0o600); err != nil {
		t.Fatal(err)
	}
	lib := w.Library.(*memoryLibrary)
	lib.places[0].Store = memory.StoreID(path)
	link := path + ".link"
	if err := os.Link(path, link); err != nil {
		t.Skip("there are no links here")
	}
	for _, target := range []string{path, link} {
		w.said(t, exitUsage, "export --force --share "+target, "is the store itself")
	}
	if raw, _ := os.ReadFile(path); string(raw) != "store" {
		t.Errorf("it holds %q", raw)
	}
}
