//go:build !unix

package systemtest

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }

func makeSocket(string) error { return errors.ErrUnsupported }
