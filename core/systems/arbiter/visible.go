package arbiter

import (
	"unicode"
	"unicode/utf16"

	"winnow/core/detect"
)

// shows reports whether a character shows as what it is.
func shows(r rune) bool {
	return !detect.Hidden(r) && unicode.IsGraphic(r) && !unicode.Is(unicode.Zs, r) && !unicode.In(r, unicode.Me, unicode.Variation_Selector)
}

func utf16Units(r rune) []uint16 { return utf16.Encode([]rune{r}) }
