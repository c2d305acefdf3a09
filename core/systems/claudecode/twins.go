package claudecode

import (
	"winnow/core/filestore"
	"winnow/core/jstext"
)

// twin returns the file that is sent and that a path leads to as well, or nil. What comes with reads is
// sent although the start had it, unless whole is set.
func (c *chain) twin(path string, whole bool) *doc {
	real := filestore.Real(path)
	if d := c.withReads[real]; d != nil && d.start {
		return d
	}
	if d := c.atStart[real]; d != nil && d.start && (whole || c.withReads == nil) {
		return d
	}
	return nil
}

// isOfUser reports whether a file is the user's or the administrator's, or imported by one of these.
func (d *doc) isOfUser() bool { return d.layer == layerUser || d.layer == layerManaged }

// sends notes that a file is sent.
func (c *chain) sends(d *doc) {
	to := c.atStart
	if c.withReads != nil {
		to = c.withReads
	}
	to[filestore.Real(d.Path)] = d
}

// leaveOutEqual leaves out an AGENTS.md, from the n-th file on, whose text a rule of the project or, where both
// are read, a CLAUDE.md has too.
func (c *chain) leaveOutEqual(n int) {
	for _, d := range c.docs[n:] {
		if d.isAgents() && d.start {
			d.leaveOutIfEqual(c.docs[n:], func(o *doc) bool {
				return o.kind == kindRule || o.kind == kindInstructions && !o.isAgents()
			})
		}
	}
}

// leaveOutIfEqual leaves a file out if one of some others has the same text.
func (d *doc) leaveOutIfEqual(others []*doc, counts func(o *doc) bool) {
	for _, o := range others {
		if o != d && o.start && counts(o) && jstext.Trim(o.content) == jstext.Trim(d.content) && !d.blank() {
			d.start, d.unseen, d.why = false, true, "It has the same text as "+o.Path+", and is left out."
			return
		}
	}
}
