package claudecode

import "testing"

func TestOnlyFoldersWhoseNamesFitAreAskedForAnEarlierPlace(t *testing.T) {
	const root = "/home/ada/src/shop"
	trees := []string{"-tmp-tree"}
	for _, c := range []struct {
		old    string
		beside bool
		want   bool
	}{
		{"/old/place/shop", false, true},
		{root + "/web", false, true},
		{"/tmp/tree", false, true},
		{"/home/ada/src/store", true, true},
		{"/home/ada/src/store", false, false},
		{"/elsewhere/store", true, false},
	} {
		if got := mayHaveBeen(root, slug(c.old), c.beside, trees); got != c.want {
			t.Errorf("%s, beside %t: got %t", c.old, c.beside, got)
		}
	}
}
