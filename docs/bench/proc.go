//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// rss returns the resident memory of a process in kB.
func rss(pid int) int { return statusField(fmt.Sprintf("/proc/%d/status", pid), "VmRSS:") }

// usage is what a process has used of the processor.
type usage struct {
	cpu     time.Duration
	wakeups int // context switches, voluntary or not
}

// used adds up the threads of a process, in nanoseconds where
// /proc/PID/stat has only ticks of 10 ms.
func used(pid int) (u usage) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	for _, dir := range threads {
		text, _ := os.ReadFile(dir + "/schedstat")
		if f := strings.Fields(string(text)); len(f) > 0 {
			ns, _ := strconv.ParseInt(f[0], 10, 64)
			u.cpu += time.Duration(ns)
		}
		u.wakeups += statusField(dir+"/status", "voluntary_ctxt_switches:")
		u.wakeups += statusField(dir+"/status", "nonvoluntary_ctxt_switches:")
	}
	return u
}

// statusField returns the number in a line of a status file, or 0.
func statusField(path, name string) int {
	text, _ := os.ReadFile(path)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == name {
			n, _ := strconv.Atoi(f[1])
			return n
		}
	}
	return 0
}

// machine names the processor, its cores, the kernel and the compiler.
func machine() string {
	name := "unknown processor"
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			name = strings.TrimSpace(value)
			break
		}
	}
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	load, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(load), " ")
	return fmt.Sprintf("%s, %d cores, Linux %s, %s, load %s at the start",
		name, runtime.NumCPU(), strings.TrimSpace(string(kernel)), runtime.Version(), first)
}
