package lesson

import (
	"strings"
	"sync"
)

// stopWords are words of four letters or more that say nothing about a task:
// English ones, and those that stand in every lesson the agent writes by itself.
const stopWords = ` completed succeeded failed using step steps step(s with
 about above across actually after again against ahead almost along already also
 although always among another anybody anyone anything around away back because
 become been before behind being below between both came cannot come could does
 doing done down during each either else enough even ever every everything
 from further gave give given goes going gone have having hence here herself
 himself however inside instead into itself just keep kept like likely made make
 many maybe mean might mine more most much must myself near need needs neither
 never next none nothing often once only onto other others otherwise ours
 ourselves outside over please quite rather really same shall should since some
 somebody someone something still such sure take than thank thanks that their
 theirs them themselves then there therefore these they thing things this those
 though through thus together took toward towards under unless until upon used
 very want wants well went were what whatever when whenever where whether which
 while whole whom whose will within without would your yours yourself
 can't don't doesn't isn't it's let's that's won't you're `

var stopSet = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{"": true}
	for _, word := range strings.Fields(stopWords) {
		set[word] = true
	}
	return set
})

// StopWord reports whether a word in lower case says nothing about a task.
func StopWord(word string) bool { return stopSet()[word] }
