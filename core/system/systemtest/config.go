package systemtest

import (
	"io/fs"
	"runtime/debug"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// Shape is what a store is on the disk.
type Shape uint8

// The shapes.
const (
	File     Shape = iota // one file, in which its records stand
	Folder                // a folder with files in it; see [memory.Record.File]
	Database              // a file of pages: its bytes say nothing, its records do
)

// Config describes the system under test. A system with stores of several sorts runs
// the tests once for each.
//
// What must be given are Kind, Good and Store, and for a store that is no single file
// its Shape. A store of files has the path of its file in each record's File, unless the
// records stand in the store's own. If records can be changed and what a person edits is
// not Title, say so by Field; if an addition needs other fields than a title, a body and
// an outcome, give Add; and if the id of a new record does not stand in its stored form,
// give New.
//
// Tests that make no sense for a system are left out by Skip, each with its reason:
//
//	systemtest.Run(t, systemtest.Config{
//		Kind: Kind(now), Shape: systemtest.Folder, Store: "project/memory",
//		Good: good, Damaged: damaged, Field: memory.InBody,
//		Env:  func(root string) system.Env { return system.Env{Home: root, Dir: root + "/project", Lookup: none} },
//		Skip: map[string]string{"Writer/EditKeepsWhatOthersChanged": "a memory has no counts that merge"},
//	})
type Config struct {
	System system.System

	// Good is a folder with a store of at least two records, all of them sound. Two of
	// them at least can be changed, where the system writes.
	Good fs.FS
	// Damaged is a folder with a store that holds records which cannot be decoded, each
	// between two that can. It is nil where a record cannot be damaged.
	Damaged fs.FS
	// Store is the path of the store in both, with slashes; "." is the folder itself.
	Store string
	Shape Shape
	// Between parts two records of one file, where that is no line end: "\n§\n".
	Between string

	// Field is what a person edits in a record: memory.InTitle or memory.InBody.
	Field memory.Field
	// Add returns the fields of a new record that says text in Field.
	Add func(text string) memory.Edit
	// New returns the addition of a record that says text in Field, in place of Add.
	New func(c system.Composer, text string) (memory.Change, error)

	// Ability is the Store of the element of Kind.Abilities that is about these stores;
	// it can be empty where there is one.
	Ability string
	// Env returns what a machine knows on which the store in root is found by Kind.Find.
	// Without it that is not tried.
	Env func(root string) system.Env
	// Skip has the reasons why tests make no sense here, by their names below the test
	// that calls Run: "Writer/EditKeepsWhatOthersChanged".
	Skip map[string]string
}

// notFor begins the reason of a test that says nothing of a system. Other tests are
// skipped for want of something that the machine lacks.
const notFor = "does not apply: "

// test is one test of the suite.
type test struct {
	name string
	run  func(Config, *testing.T)
}

// looking returns the tests of all systems.
func looking() []test {
	return []test{
		{"ListIsStable", Config.testListIsStable},
		{"RecordsHaveIDsOfTheirOwn", Config.testIDs},
		{"RecordsHaveTitles", Config.testTitles},
		{"StoreHasItsName", Config.testPlace},
		{"LookingWritesNothing", Config.testLookingWritesNothing},
		{"ListStopsOnError", Config.testListStopsOnError},
		{"ListHonoursCancel", Config.testListHonoursCancel},
		{"SnapshotHonoursCancel", Config.testSnapshotHonoursCancel},
		{"SnapshotShowsWhatListLists", Config.testSnapshotAgrees},
		{"SummarySaysWhatSnapshotSays", Config.testSummary},
		{"RecallIsStable", Config.testRecall},
		{"DamagedRecordsAreListed", Config.testDamagedRecordsAreListed},
		{"MissingStoreIsAProblem", Config.testMissingStore},
		{"OtherThingForStoreIsAProblem", Config.testOtherForStore},
		{"WhateverIsInTheWayHasItsSentence", Config.testHostile},
		{"VanishingStoreEndsTheListing", Config.testVanishing},
		{"SearchFindsTheStore", Config.testSearch},
		{"SearchDoesNotFollowLinks", Config.testSearchDoesNotFollowLinks},
		{"FindFindsTheStore", Config.testFind},
		{"FindCostsNothingWhereNothingIs", Config.testFindNothing},
		{"AbilitiesAreThoseOfTheStore", Config.testAbilities},
		{"SharedRecordIsTheSameElsewhere", Config.testShared},
		{"Writer", Config.runWriter},
	}
}

// writing returns the tests of systems that can change their stores.
func writing() []test {
	return []test{
		{"ChangeTouchesOnlyItsRecord", Config.testChangeTouchesOnlyItsRecord},
		{"StaleChangeIsRefused", Config.testStaleChangeIsRefused},
		{"EditKeepsWhatOthersChanged", Config.testEditKeepsTheirs},
		{"RefusedChangeTakesTheOthersWithIt", Config.testAllOrNothing},
		{"ChangeThatIsDoneWritesNothing", Config.testDoneWritesNothing},
		{"MissingStoreIsCreatedByAnAddition", Config.testMissingStoreIsCreated},
		{"ExactUndoRestoresTheBytes", Config.testExactUndo},
		{"UndoKeepsWhatOthersWrote", Config.testUndoMerges},
		{"DamagedRecordsStay", Config.testDamagedRecordsStay},
		{"ModeIsKept", Config.testModeIsKept},
		{"LinkIsKept", Config.testLinkIsKept},
		{"MissingLastLineEndIsKept", Config.testMissingLastLineEnd},
		{"FormsComeBack", Config.testFormsComeBack},
		{"ComposedIsDecoded", Config.testComposedIsDecoded},
		{"WhatCannotBeWrittenHasItsSentence", Config.testCannotWrite},
		{"VanishedFolderHasItsSentence", Config.testVanishedFolder},
		{"ForeignStoreHasItsSentence", Config.testForeignStore},
		{"StageComesBeforeTheChange", Config.testStageComesBefore},
		{"FailedStageChangesNothing", Config.testFailedStage},
		{"CancelBeforeStageChangesNothing", Config.testCancelledWrite},
		{"LinkThatComesBetweenIsNotFollowed", Config.testLinkThatComesBetween},
		{"FolderThatIsSwappedIsNotWritten", Config.testSwappedFolder},
		{"InterruptedWriteIsSettled", Config.testRecover},
		{"SettledWriteIsToldFromOneThatWasNotMade", Config.testRecoverTells},
		{"RecoveryStaysInItsFolder", Config.testRecoveryStaysInItsFolder},
		{"NoChangeLeavesTheStore", Config.testNoEscape},
		{"ChangesThatGoAlongAreUndoneWithIt", Config.testAlong},
		{"EditKeepsTheDateUnlessVerified", Config.testDates},
		{"RevertedEditIsSeen", Config.testReverted},
	}
}

// Run runs every test as a subtest of t.
func Run(t *testing.T, cfg Config) {
	// Texts of megabytes come and go: collecting them less often takes a third less time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	known := map[string]bool{}
	for _, each := range looking() {
		known[each.name] = true
	}
	for _, each := range writing() {
		known["Writer/"+each.name] = true
	}
	for name, why := range cfg.Skip {
		if !known[name] || why == "" {
			t.Errorf("Skip names %q, for %q: there is no such test, or no reason", name, why)
		}
	}
	cfg.runAll(t, "", looking())
}

func (cfg Config) runAll(t *testing.T, above string, tests []test) {
	for _, each := range tests {
		t.Run(each.name, func(t *testing.T) {
			if why := cfg.Skip[above+each.name]; why != "" {
				t.Skip(notFor + why)
			}
			each.run(cfg, t)
		})
	}
}

// folders returns the folders with stores that are given.
func (cfg Config) folders() []fs.FS {
	if cfg.Damaged == nil {
		return []fs.FS{cfg.Good}
	}
	return []fs.FS{cfg.Good, cfg.Damaged}
}

// edited returns an edit of that field.
func (cfg Config) edited(text string) memory.Edit {
	if cfg.Field == memory.InBody {
		return memory.Edit{Body: &text}
	}
	return memory.Edit{Title: &text}
}
