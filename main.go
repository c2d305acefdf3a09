// Winnow shows the memories that coding agents keep across sessions, and what an
// agent would recall from them for a task, and lets a person change them without
// losing anything.
package main

import "winnow/cli/program"

func main() { program.New().Main() }
