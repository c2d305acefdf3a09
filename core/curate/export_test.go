package curate

import "time"

// HeaderOfFormat returns the first line of a history of so many formats later, with its line end.
func HeaderOfFormat(later int, at time.Time) string {
	return string(encodeEvent(event{Kind: kindHeader, ID: "1", Format: historyFormat + later, Store: "s", At: at}))
}

// HashesIn returns the hashes of redacted texts in a line of a history.
func HashesIn(line string) (hashes []string) {
	e, _ := decodeEvent([]byte(line), false)
	for _, s := range e.Scrubs {
		hashes = append(hashes, s.Sum)
	}
	return hashes
}
