package main

import (
	"bytes"
	"os"
	"testing"
)

func TestMainHasAtMost150Lines(t *testing.T) {
	src, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(src, []byte("\n")); n > 150 {
		t.Errorf("main.go has %d lines; wiring belongs in cli/program", n)
	}
}
