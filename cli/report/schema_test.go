package report

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// validator checks JSON against the keywords of JSON Schema, draft 4, that the schema of
// SARIF uses. Any other keyword fails the test, so that none is passed over.
type validator struct {
	root   map[string]any
	faults []string
}

// sarifSchema is the schema as OASIS publishes it with SARIF 2.1.0, errata 01.
func sarifSchema(t *testing.T) map[string]any {
	t.Helper()
	raw, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(raw, &root); err != nil {
		t.Fatal(err)
	}
	return root
}

// faultsIn returns what in a JSON text does not fit the schema.
func faultsIn(root map[string]any, raw []byte) []string {
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		return []string{err.Error()}
	}
	v := &validator{root: root}
	v.check(root, doc, "")
	return v.faults
}

func (v *validator) fault(at, format string, args ...any) {
	v.faults = append(v.faults, at+": "+fmt.Sprintf(format, args...))
}

func (v *validator) check(schema map[string]any, doc any, at string) {
	if ref, ok := schema["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/definitions/")
		found, ok := v.root["definitions"].(map[string]any)[name].(map[string]any)
		if !ok {
			v.fault(at, "no definition %s", ref)
			return
		}
		v.check(found, doc, at)
		return
	}
	for keyword, want := range schema {
		switch keyword {
		case "$schema",
			"id",
			"title",
			"description",
			"default",
			"definitions",
			"properties",
			"minimum",
			"maximum",
			"minItems",
			"uniqueItems":
		case "type":
			if !slices.ContainsFunc(listOf(want), func(kind any) bool { return is(doc, kind.(string)) }) {
				v.fault(at, "is no %v", want)
			}
		case "enum":
			if !slices.ContainsFunc(want.([]any), func(one any) bool { return reflect.DeepEqual(one, doc) }) {
				v.fault(at, "%v is none of %v", doc, want)
			}
		case "anyOf", "oneOf":
			v.choice(keyword, want.([]any), doc, at)
		case "pattern", "format":
			v.checkString(keyword, want.(string), doc, at)
		case "required", "additionalProperties", "items":
		default:
			v.fault(at, "the schema uses %s, which is not checked", keyword)
		}
	}
	switch doc := doc.(type) {
	case map[string]any:
		v.checkObject(schema, doc, at)
	case []any:
		v.checkList(schema, doc, at)
	case float64:
		if least, ok := schema["minimum"].(float64); ok && doc < least {
			v.fault(at, "%v is less than %v", doc, least)
		}
		if most, ok := schema["maximum"].(float64); ok && doc > most {
			v.fault(at, "%v is more than %v", doc, most)
		}
	}
}

func listOf(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

func is(doc any, kind string) bool {
	switch doc := doc.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case float64:
		return kind == "number" || kind == "integer" && doc == float64(int64(doc))
	case []any:
		return kind == "array"
	}
	return kind == "object"
}

func (v *validator) choice(keyword string, schemas []any, doc any, at string) {
	fit := 0
	for _, s := range schemas {
		one := &validator{root: v.root}
		one.check(s.(map[string]any), doc, at)
		if len(one.faults) == 0 {
			fit++
		}
	}
	if fit == 0 || keyword == "oneOf" && fit > 1 {
		v.fault(at, "fits %d of the %s", fit, keyword)
	}
}

func (v *validator) checkString(keyword, want string, doc any, at string) {
	s, ok := doc.(string)
	if !ok {
		return
	}
	fits := false
	switch {
	case keyword == "pattern":
		fits = regexp.MustCompile(want).MatchString(s)
	case want == "date-time":
		_, err := time.Parse(time.RFC3339, s)
		fits = err == nil
	case want == "uri", want == "uri-reference":
		u, err := url.Parse(s)
		fits = err == nil && (want == "uri-reference" || u.IsAbs()) && !strings.ContainsFunc(s, notInURI)
	}
	if !fits {
		v.fault(at, "%q does not fit the %s %s", s, keyword, want)
	}
}

func (v *validator) checkObject(schema, doc map[string]any, at string) {
	if required, ok := schema["required"].([]any); ok {
		for _, name := range required {
			if _, ok := doc[name.(string)]; !ok {
				v.fault(at, "%v is missing", name)
			}
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, value := range doc {
		if s, ok := properties[name].(map[string]any); ok {
			v.check(s, value, at+"/"+name)
			continue
		}
		switch more := schema["additionalProperties"].(type) {
		case bool:
			if !more {
				v.fault(at, "%s does not belong here", name)
			}
		case map[string]any:
			v.check(more, value, at+"/"+name)
		}
	}
}

func (v *validator) checkList(schema map[string]any, doc []any, at string) {
	if least, ok := schema["minItems"].(float64); ok && len(doc) < int(least) {
		v.fault(at, "has %d items, fewer than %v", len(doc), least)
	}
	for i, value := range doc {
		if items, ok := schema["items"].(map[string]any); ok {
			v.check(items, value, fmt.Sprintf("%s/%d", at, i))
		}
		if schema["uniqueItems"] == true &&
			slices.ContainsFunc(doc[:i], func(other any) bool { return reflect.DeepEqual(other, value) }) {
			v.fault(at, "item %d is there twice", i)
		}
	}
}

func TestValidatorSeesWhatDoesNotFit(t *testing.T) {
	root := sarifSchema(t)
	good := `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"message":{"text":"m"}}]}]}`
	if faults := faultsIn(root, []byte(good)); len(faults) > 0 {
		t.Fatalf("a log that fits has faults: %q", faults)
	}
	for _, change := range [][2]string{
		{`"2.1.0"`, `"2.2.0"`}, {`"2.1.0"`, `2`}, {`{"name":"x"}`, `{}`}, {`"text":"m"`, `"words":"m"`},
		{`"message"`, `"level":"bad","message"`},
		{`"message"`, `"ruleIndex":-2,"message"`},
		{`"message"`, `"ruleIndex":1.5,"message"`},
		{`"name":"x"`, `"name":"x","informationUri":"no uri"`},
		{`"name":"x"`, `"name":"x","properties":{"tags":["a","a"]}`},
		{`"message"`, `"partialFingerprints":{"a":1},"message"`},
		{`"message"`, `"guid":"1","message"`},
		{`"runs":[`, `"runs":[7,`},
	} {
		if faults := faultsIn(root, []byte(strings.Replace(good, change[0], change[1], 1))); len(faults) == 0 {
			t.Errorf("%s for %s has no fault", change[1], change[0])
		}
	}
}
