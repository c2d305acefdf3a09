package systemtest

import (
	"io/fs"
	"runtime/debug"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// Shape is what a store is on disk.
type Shape uint8

// The shapes.
const (
	File     Shape = iota // one file that contains its records
	Folder                // a folder with files in it; see [memory.Record.File]
	Database              // a file of pages: only its records can be compared, not its bytes
)

// Config describes the system under test. A system with several kinds of stores runs the tests once
// for each kind.
//
// System, Good and Store are required, and so is Shape for a store that is not a single file. In a
// store of several files, each record's File is the path of its file, unless the record is in the
// store's own file. If records can be changed, set Field when a person edits something other than
// Title. Set Add when an addition needs fields other than a title, a body and an outcome, and New
// when the stored form of a new record does not contain its id.
//
// Use Skip to leave out tests that make no sense for a system, each with a reason:
//
//	systemtest.Run(t, systemtest.Config{
//		System: System(now), Shape: systemtest.Folder, Store: "project/memory",
//		Good: good, Damaged: damaged, Field: memory.InBody,
//		Env:  func(root string) system.Env { return system.Env{Home: root, Dir: root + "/project", Lookup: none} },
//		Skip: map[string]string{"Writer/EditKeepsWhatOthersChanged": "a memory has no counts that merge"},
//	})
type Config struct {
	System system.System

	// Good is a folder with a store of at least two records, all valid. If the system writes, at
	// least two of them can be changed.
	Good fs.FS
	// Damaged is a folder with a store that has records which cannot be decoded, each between two
	// that can. It is nil if records cannot be damaged.
	Damaged fs.FS
	// Store is the path of the store in both folders, with slashes; "." is the folder itself.
	Store string
	Shape Shape
	// Between separates two records of one file, if that is not a line end: "\n§\n".
	Between string

	// Field is what a person edits in a record: memory.InTitle or memory.InBody.
	Field memory.Field
	// Add returns the fields of a new record with text in Field.
	Add func(text string) memory.Edit
	// New returns the addition of a record with text in Field, and replaces Add.
	New func(c system.Composer, text string) (memory.Change, error)

	// Ability is the Store of the element of System.Abilities for these stores. It may be empty if
	// there is only one.
	Ability string
	// Env returns a machine on which System.Find finds the store in root. Without it, finding is
	// not tested.
	Env func(root string) system.Env
	// Skip gives reasons why tests make no sense here, by test name below the test that calls Run:
	// "Writer/EditKeepsWhatOthersChanged".
	Skip map[string]string
}

// notFor begins the reason for a test that does not apply to a system. Any other skipped test lacks
// something on this machine.
const notFor = "does not apply: "

// test is one test of the suite.
type test struct {
	name string
	run  func(Config, *testing.T)
}

// lookTests returns the tests for all systems.
func lookTests() []test {
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
		{"Writer", Config.runWriter},
	}
}

// writeTests returns the tests for systems that can change their stores.
func writeTests() []test {
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
	// Texts of megabytes come and go: collecting garbage less often saves a third of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	known := map[string]bool{}
	for _, each := range lookTests() {
		known[each.name] = true
	}
	for _, each := range writeTests() {
		known["Writer/"+each.name] = true
	}
	for name, why := range cfg.Skip {
		if !known[name] || why == "" {
			t.Errorf("Skip names %q, for %q: there is no such test, or no reason", name, why)
		}
	}
	cfg.runAll(t, "", lookTests())
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

// folders returns the folders with stores that were given.
func (cfg Config) folders() []fs.FS {
	if cfg.Damaged == nil {
		return []fs.FS{cfg.Good}
	}
	return []fs.FS{cfg.Good, cfg.Damaged}
}

// edited returns an edit that sets the tested field.
func (cfg Config) edited(text string) memory.Edit {
	if cfg.Field == memory.InBody {
		return memory.Edit{Body: &text}
	}
	return memory.Edit{Title: &text}
}
