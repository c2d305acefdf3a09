#!/usr/bin/env bash
# Builds the archives of a release into a folder, dist without another: winnow for Linux, macOS and
# Windows on amd64 and arm64, each with the manual page, completions, the README and the licences of
# all that is linked, and SHA256SUMS. The same commit and the same Go give the same bytes.
#
#   docs/release.sh [OUTDIR]
set -euo pipefail
targets='linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64'

die() { printf 'release: %s\n' "$1" >&2; exit 1; }

out=${1:-$(dirname "$0")/../dist}
case $out in /*) ;; *) out=$PWD/$out ;; esac
cd "$(dirname "$0")/.."
# Go reads the commit from the folder .git. In a linked work tree that is a file, and the binaries
# would not tell what they were built from.
[ -d .git ] || die "not a clone: make one of this work tree (git clone . DIR) and run DIR/docs/release.sh"
[ -z "$(git status --porcelain)" ] || die "there are changes that are not committed: git status lists them"

mkdir -p "$out"
out=$(cd "$out" && pwd)

# What is set in this environment must not reach the binaries.
unset GOEXPERIMENT GODEBUG GOFIPS140
export CGO_ENABLED=0 GOAMD64=v1 GOARM64=v8.0 GOTOOLCHAIN=local GOWORK=off GOFLAGS='-trimpath -buildvcs=true -mod=readonly'
date=$(git log -1 --format=%ct)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for target in $targets; do
  printf 'build %s\n' "$target"
  ending=
  [ "${target%/*}" != windows ] || ending=.exe
  GOOS=${target%/*} GOARCH=${target#*/} go build -ldflags='-s -w' -o "$work/${target/\//-}/winnow$ending" .
  GOOS=${target%/*} GOARCH=${target#*/} go list -deps \
    -f '{{with .Module}}{{.Path}}{{with .Version}}@{{.}}{{end}} {{.Dir}} {{$.Dir}}{{end}}' . >>"$work/linked"
done

# The licences of a package are in its folder or above it, up to that of its module.
shared=$work/shared
mkdir -p "$shared/licences/go" "$shared/completions"
cp "$(go env GOROOT)/LICENSE" "$shared/licences/go/"
sort -u "$work/linked" | while read -r module top dir; do
  while :; do
    find "$dir" -maxdepth 1 -type f \( -iname '*licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' -o -iname 'patents*' \) ! -name '*.go' |
      while read -r file; do
        to=$shared/licences/$module${file#"$top"}
        mkdir -p "$(dirname "$to")"
        cp -f "$file" "$to"
      done
    [ "$dir" != "$top" ] || break
    dir=$(dirname "$dir")
  done
  [ -d "$shared/licences/$module" ] || die "$module has no licence in $top"
done
cp LICENSE README.md "$shared/"

# What the commands say of themselves is the same on all systems.
host=$work/$(go env GOHOSTOS)-$(go env GOHOSTARCH)/winnow$(go env GOEXE)
[ -x "$host" ] || die "the manual cannot be made here: this system is none of $targets"
say() { env -i HOME="$work" "$host" "$@"; }
version=$(say --version | cut -d' ' -f3)
say man >"$shared/winnow.1"
say completion bash >"$shared/completions/winnow.bash"
say completion zsh >"$shared/completions/_winnow"
say completion fish >"$shared/completions/winnow.fish"
say completion powershell >"$shared/completions/winnow.ps1"

go build -buildvcs=false -o "$work/pack$(go env GOEXE)" ./docs/pack
rm -f "$out"/winnow-*.tar.gz "$out"/winnow-*.zip "$out/SHA256SUMS"
for target in $targets; do
  name=winnow-$version-${target/\//-} format=tar.gz
  [ "${target%/*}" != windows ] || format=zip
  "$work/pack" "$date" "$out/$name.$format" "$work/${target/\//-}" "$shared" >>"$out/SHA256SUMS"
  printf '%s.%s: %s bytes, the binary %s\n' "$name" "$format" \
    "$(wc -c <"$out/$name.$format" | tr -d ' ')" "$(cat "$work/${target/\//-}"/winnow* | wc -c | tr -d ' ')"
done
say --version
printf 'built with %s into %s\n' "$(go env GOVERSION)" "$out"
