package views

import "winnow/keymap"

// Keyed is embedded by views whose sentences name keys.
type Keyed struct {
	Keys *keymap.Map // those in force; nil for the usual ones
}

func (k Keyed) keys() keymap.Map {
	if k.Keys == nil {
		return keymap.Default()
	}
	return *k.Keys
}

// keyOf returns the key of a binding, as sentences name it.
func keyOf(b keymap.Binding) string { return b.Help().Key }
