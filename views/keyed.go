package views

import "winnow/keymap"

// Keyed is embedded by views whose sentences mention keys.
type Keyed struct {
	Keys *keymap.Map // the current key map; nil for the default one
}

func (k Keyed) keys() keymap.Map {
	if k.Keys == nil {
		return keymap.Default()
	}
	return *k.Keys
}

// keyOf returns the key of a binding for use in a sentence.
func keyOf(b keymap.Binding) string { return b.Help().Key }
