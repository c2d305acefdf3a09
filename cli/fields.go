package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

// editable are the fields that can be set, by the names that a store has for them.
func editable() []string {
	return []string{"task_summary", "lesson", "outcome", "tool_names", "relevance_count", "kind", "scope", "name", "title", "body"}
}

// stored returns the name of a field as a lesson store has it.
func stored(name string) string {
	switch name {
	case "title":
		return "task_summary"
	case "body":
		return "lesson"
	}
	return name
}

// setFlag declares --set.
func setFlag(c *cobra.Command, to *[]string) {
	c.Flags().StringArrayVar(to, "set", nil, "set a field, as `FIELD=VALUE`: "+strings.Join(editable(), ", ")+"; may be repeated")
	// The error is that the flag does not exist, which a test would see.
	_ = c.RegisterFlagCompletionFunc("set", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		names := editable()
		for i := range names {
			names[i] += "="
		}
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

// edits returns what the values of --set say.
func (e Env) edits(op string, list []string) (memory.Edit, error) {
	var edit memory.Edit
	seen := map[string]bool{}
	for _, s := range list {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return edit, usage("write it as --set lesson='new text'", "%s: --set %s has no =", op, s)
		}
		if seen[stored(name)] {
			return edit, usage("give it once", "%s: %s is set twice", op, name)
		}
		seen[stored(name)] = true
		if err := e.setField(&edit, name, value); err != nil {
			return edit, usage(valueHint(name), "%s: %w", op, err)
		}
	}
	return edit, nil
}

// setField sets one field of an edit to a value of the command line.
func (e Env) setField(edit *memory.Edit, name, value string) error {
	value = e.Task([]byte(value))
	switch stored(name) {
	case "kind":
		edit.Kind = &value
	case "scope":
		edit.Scope = &value
	case "name":
		edit.Name = &value
	case "task_summary":
		edit.Title = &value
	case "lesson":
		edit.Body = &value
	case "outcome":
		edit.Outcome = &value
		return checkOutcome(value)
	case "tool_names":
		tools, err := toolNames(value)
		edit.Tools = &tools
		return err
	case "relevance_count":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return fmt.Errorf("relevance_count %s is no whole number of 0 or more", value)
		}
		edit.Count = &n
	default:
		return fmt.Errorf("%s is no field that can be set", name)
	}
	return nil
}

func checkOutcome(value string) error {
	if value == string(memory.Succeeded) || value == string(memory.Failed) {
		return nil
	}
	return fmt.Errorf("outcome cannot be %q", value)
}

// valueHint says what a field takes, or which fields there are.
func valueHint(name string) string {
	switch name {
	case "outcome":
		return "make it succeeded or failed"
	case "relevance_count":
		return "give a whole number, 0 or more"
	case "tool_names":
		return `give names with commas between them, or a JSON array: ["read-file","shell-exec"]`
	}
	return "the fields are " + strings.Join(editable(), ", ")
}

// toolNames reads a JSON array of names, or names with commas between them.
func toolNames(value string) ([]string, error) {
	tools := []string{}
	if strings.HasPrefix(strings.TrimSpace(value), "[") {
		if err := json.Unmarshal([]byte(value), &tools); err != nil {
			return nil, errors.New("tool_names is no JSON array of names")
		}
		return tools, nil
	}
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name != "" {
			tools = append(tools, name)
		}
	}
	return tools, nil
}

// addedJSON is a lesson as add reads it.
type addedJSON struct {
	Title   *string   `json:"task_summary"`
	Body    *string   `json:"lesson"`
	Outcome *string   `json:"outcome"`
	Tools   *[]string `json:"tool_names"`
	Count   *int      `json:"relevance_count"`
	Kind    *string   `json:"kind"`
	Scope   *string   `json:"scope"`
	Name    *string   `json:"name"`
	// Other words for the first two.
	OtherTitle *string `json:"title"`
	OtherBody  *string `json:"body"`
}

// readLessons reads one lesson or more: JSON objects, one behind the other.
func readLessons(raw []byte) ([]memory.Edit, error) {
	var list []memory.Edit
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		var one json.RawMessage
		err := dec.Decode(&one)
		if errors.Is(err, io.EOF) && len(list) > 0 {
			return list, nil
		}
		fields := strings.Join(editable(), ", ")
		if errors.Is(err, io.EOF) {
			return nil, usage("give an object of "+fields, "add: there is no lesson on standard input")
		}
		if err != nil {
			return nil, usage("give an object of "+fields, "add: lesson %d is no JSON, and nothing was added: %w", len(list)+1, err)
		}
		edit, err := readLesson(one)
		if err != nil {
			return nil, usage("the fields are "+fields, "add: lesson %d is wrong, and nothing was added: %w", len(list)+1, err)
		}
		list = append(list, edit)
	}
}

func readLesson(raw []byte) (memory.Edit, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return memory.Edit{}, errors.New("it is no object")
	}
	var names map[string]json.RawMessage
	if err := json.Unmarshal(raw, &names); err != nil {
		return memory.Edit{}, err
	}
	for name, value := range names { // case counts, and null is no value
		if !slices.Contains(editable(), name) {
			return memory.Edit{}, fmt.Errorf("%s is no field that can be set", name)
		}
		if string(value) == "null" {
			return memory.Edit{}, fmt.Errorf("%s is null", name)
		}
	}
	var a addedJSON
	if err := json.Unmarshal(raw, &a); err != nil {
		var typed *json.UnmarshalTypeError
		if errors.As(err, &typed) {
			return memory.Edit{}, fmt.Errorf("%s cannot be a %s", typed.Field, typed.Value)
		}
		return memory.Edit{}, err
	}
	if a.Count != nil && *a.Count < 0 {
		return memory.Edit{}, fmt.Errorf("relevance_count %d is below 0", *a.Count)
	}
	if a.Outcome != nil {
		if err := checkOutcome(*a.Outcome); err != nil {
			return memory.Edit{}, err
		}
	}
	if a.Title != nil && a.OtherTitle != nil || a.Body != nil && a.OtherBody != nil {
		return memory.Edit{}, errors.New("title is task_summary, and body lesson: one is set twice")
	}
	return memory.Edit{
		Title: either(a.Title, a.OtherTitle), Body: either(a.Body, a.OtherBody), Outcome: a.Outcome, Tools: a.Tools, Count: a.Count,
		Kind: a.Kind, Scope: a.Scope, Name: a.Name,
	}, nil
}

func either(a, b *string) *string {
	if a != nil {
		return a
	}
	return b
}
