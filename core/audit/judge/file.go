package judge

import (
	"fmt"
	"io/fs"
	"path"
	"runtime"

	"winnow/core/memory"
)

// file reports what concerns the file itself instead of its content.
func (r *Reading) file() {
	d := r.doc
	if d.Commit != "" {
		return // an earlier version is not in use as a store
	}
	if d.Form != nil && d.Form.Decode != nil {
		r.reportLost()
		if d.OnDisk && r.values > 0 {
			r.reportAccess()
		}
	}
	r.reportLines(RuleLong, &r.lost.tooLong, " longer than 1 MiB")
	if d.OnDisk {
		r.reportLeftovers()
	}
}

// reportLost reports the records that an agent loses.
func (r *Reading) reportLost() {
	r.reportLines(RuleDamaged, &r.lost.damaged, " that cannot be decoded: lost at the agent's next save")
	held := r.doc.Form.Held
	beyond := r.beyond
	if !r.live && held > 0 {
		beyond = r.values - held
	}
	if beyond > 0 {
		f := r.fileFinding(
			RuleBeyond,
			fmt.Sprintf(
				"%s beyond the %d that an agent loads: not used, and lost at its next save",
				memory.Counted(beyond, "record"),
				held,
			),
			"",
		)
		f.Count = beyond
		r.to(f)
	}
}

// reportAccess reports who else can access the records.
func (r *Reading) reportAccess() {
	d := r.doc
	perm := d.Mode.Perm()
	shared := memory.OthersMay(runtime.GOOS, perm)
	switch {
	case d.Mode&fs.ModeType != 0:
	case shared&0o022 != 0:
		r.to(
			r.fileFinding(
				RuleWritable,
				fmt.Sprintf("Other users of this machine can write the file: mode %04o", perm),
				fmt.Sprintf("%04o", perm),
			),
		)
	case shared&0o044 != 0:
		r.to(
			r.fileFinding(
				RuleReadable,
				fmt.Sprintf("Other users of this machine can read the file: mode %04o", perm),
				fmt.Sprintf("%04o", perm),
			),
		)
	}
	switch d.Git {
	case memory.GitTracked:
		r.to(r.fileFinding(RuleTracked, "git tracks the file: its records are shared with the repository", ""))
	case memory.GitUntracked:
		r.to(
			r.fileFinding(
				RuleUnignored,
				"git does not ignore the file: the next git add of everything shares its records",
				"",
			),
		)
	}
}

// reportLeftovers reports files left over beside the document.
func (r *Reading) reportLeftovers() {
	d := r.doc
	if d.Form == nil || d.Form.Stale == nil || len(d.Siblings) == 0 || !r.judge.isNewFolder(d.Form, path.Dir(d.Path)) {
		return
	}
	for _, name := range d.Siblings {
		if !d.Form.Stale(name) {
			continue
		}
		beside := path.Join(path.Dir(d.Path), name)
		f := r.fileFinding(RuleStale, "A save that was cut off or a process that died left this file behind", name)
		f.Path, f.Store, f.File = beside, "", ""
		f.Next = []string{"see that no agent runs, look at it, and then: rm " + quoted(beside)}
		r.to(f)
	}
}

// fileFinding returns a finding on the file. Its fingerprint depends on the name of the file and on
// detail.
func (r *Reading) fileFinding(rule, what, detail string) memory.Finding {
	d := r.doc
	known := r.judge.rules[rule]
	f := memory.Finding{
		Rule: rule, Family: known.Family, Severity: known.Severity, Name: known.Name, What: what, Why: known.Why,
		Path: d.Path, File: d.File, Store: d.Store, Commit: d.Commit, CommitTime: d.CommitTime,
		Offset: -1, Count: 1, Fingerprint: fingerprint(rule, path.Base(d.Path)+"\x00"+detail),
	}
	switch rule {
	case RuleReadable, RuleWritable:
		f.Next = []string{
			"chmod 600 " + quoted(d.Path),
			"close its folder too: the next save of an agent can make the file readable again",
		}
	case RuleTracked:
		f.Next = []string{"if that is not meant: git rm --cached -- " + quoted(d.Path), "name it in .gitignore"}
	default:
		f.Next = []string{known.Next}
	}
	return f
}

// reportLines reports all the lines in c as one finding, at the first of them.
func (r *Reading) reportLines(rule string, c *count, what string) {
	if c.n == 0 {
		return
	}
	f := r.fileFinding(rule, memory.Counted(c.n, "line")+what, string(c.sum.Sum(nil)))
	c.first.excerpt(&f, 0, len(c.first.text))
	f.Line, f.Offset, f.Count = c.at.Line, c.at.Offset, c.n
	if f.Line > 0 {
		f.Column = max(c.at.Column, 1)
	}
	r.to(f)
}
