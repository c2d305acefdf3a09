//go:build linux

package main

import (
	"fmt"
	"regexp"
)

// query is a question that programs ask their terminal at the start, and what a
// common terminal answers. A "%s" in the answer takes the first group.
type query struct {
	asked  *regexp.Regexp
	answer string
}

var queries = []query{
	{regexp.MustCompile(`\x1b\]10;\?(?:\x07|\x1b\\)`), "\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\"},
	{regexp.MustCompile(`\x1b\]11;\?(?:\x07|\x1b\\)`), "\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\"},
	{regexp.MustCompile(`\x1b\]12;\?(?:\x07|\x1b\\)`), "\x1b]12;rgb:d0d0/d0d0/d0d0\x1b\\"},
	{regexp.MustCompile(`\x1b\]4;(\d+);\?(?:\x07|\x1b\\)`), "\x1b]4;%s;rgb:8080/8080/8080\x1b\\"},
	{regexp.MustCompile(`\x1b\[5n`), "\x1b[0n"},
	{regexp.MustCompile(`\x1b\[6n`), "\x1b[1;1R"},
	{regexp.MustCompile(`\x1b\[0?c`), "\x1b[?62;22c"},
	{regexp.MustCompile(`\x1b\[>0?c`), "\x1b[>1;4000;0c"},
	{regexp.MustCompile(`\x1b\[>0?q`), "\x1bP>|bench(1.0)\x1b\\"},
	{regexp.MustCompile(`\x1b\[\?u`), "\x1b[?0u"},
	{regexp.MustCompile(`\x1b\[\?(\d+)\$p`), "\x1b[?%s;2$y"},
	{regexp.MustCompile(`\x1b\[18t`), fmt.Sprintf("\x1b[8;%d;%dt", rows, columns)},
	{regexp.MustCompile(`\x1bP\+q[0-9a-fA-F;]*\x1b\\`), "\x1bP0+r\x1b\\"},
}

// reply returns the answers to the queries in text, by kind, and the length of
// the text up to the end of the last one. What follows may be half a query.
func reply(text []byte) (answers []byte, end int) {
	for _, q := range queries {
		for _, at := range q.asked.FindAllSubmatchIndex(text, -1) {
			end = max(end, at[1])
			if len(at) > 2 {
				answers = fmt.Appendf(answers, q.answer, text[at[2]:at[3]])
			} else {
				answers = append(answers, q.answer...)
			}
		}
	}
	return answers, end
}
