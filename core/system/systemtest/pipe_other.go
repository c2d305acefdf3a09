//go:build !unix

package systemtest

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
