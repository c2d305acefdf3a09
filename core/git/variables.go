package git

import (
	"context"
	"os"
	"slices"
	"strings"
)

// variables is the key of the environment in a context.
type variables struct{}

// WithVariables returns a context in which git is started with vars, each as NAME=VALUE, and not with the
// environment of this process. With none it returns ctx.
func WithVariables(ctx context.Context, vars []string) context.Context {
	if vars == nil {
		return ctx
	}
	return context.WithValue(ctx, variables{}, vars)
}

// environmentOf returns the environment that git is started with.
func environmentOf(ctx context.Context) []string {
	if vars, ok := ctx.Value(variables{}).([]string); ok {
		return vars
	}
	return os.Environ()
}

// variable returns a variable of that environment, or "".
func variable(ctx context.Context, name string) string {
	for _, kv := range slices.Backward(environmentOf(ctx)) {
		if value, ok := strings.CutPrefix(kv, name+"="); ok {
			return value
		}
	}
	return ""
}

// IndexOfCommit returns the index of the commit in progress, which git passes to hooks in an environment
// variable, or "".
func IndexOfCommit(ctx context.Context) string { return variable(ctx, "GIT_INDEX_FILE") }
