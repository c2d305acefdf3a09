package learn

import (
	"strings"
	"testing"
)

func TestCommandsThatAnotherRunsAreLeftOut(t *testing.T) {
	var got []string
	for _, c := range shellCommands("git commit -m \"$(cat x)\" && sh -c 'make' || ls") {
		got = append(got, c.text)
	}
	if want := "git commit -m \"$(cat x)\"; sh -c 'make'; ls"; strings.Join(got, "; ") != want {
		t.Errorf("%q, want %q", strings.Join(got, "; "), want)
	}
}

func TestShapeIsTheProgramAndWhatItDoes(t *testing.T) {
	for line, want := range map[string]string{
		"git push -u origin x":            "git push",
		"npm run build -- --prod":         "npm run build",
		"rtk bun test a":                  "rtk bun",
		"python3 -m pytest -q":            "python3 -m pytest",
		"python3 a.py":                    "python3",
		"sudo env A=1 docker compose up":  "docker compose up",
		"/usr/bin/gh pr create":           "gh pr create",
		"timeout 30 cargo test":           "cargo test",
		"./scripts/check.sh --json":       "./scripts/check.sh",
		"ls src":                          "ls",
		"rm -rf build":                    "rm",
		"go test ./...":                   "go test",
		"npx --yes playwright test":       "npx",
		"SPECIFY_FEATURE=1 ./x.sh --json": "./x.sh",
	} {
		if c := shellCommands(line); c[0].shape() != want {
			t.Errorf("%q: %q, want %q", line, c[0].shape(), want)
		}
	}
}
