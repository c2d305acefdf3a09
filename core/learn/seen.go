package learn

// seenFolder has what was seen of each store.
const seenFolder = "seen"

// Sight is what was known of a record when it was seen.
type Sight struct{}
