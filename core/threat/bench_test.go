package threat

import (
	"strings"
	"testing"
)

// prose is English text without a keyword.
var prose = strings.Repeat("The build failed because the cache held an old copy of the module graph, so the second step "+
	"could not resolve two of the packages.\nClearing it by hand helped once. Later the job was split in three parts, "+
	"each with its own folder, and since then nothing of the kind was seen. It takes 14 minutes on the small machine.\n", 400)

func bench(b *testing.B, text string, fn func(string)) {
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		fn(text)
	}
}

func BenchmarkProse(b *testing.B) {
	bench(b, prose, func(s string) {
		if Suspicious(s) {
			b.Fatal("suspicious")
		}
	})
}

func BenchmarkFindInProse(b *testing.B) { bench(b, prose, func(s string) { Find(s) }) }

func BenchmarkFindInRussian(b *testing.B) {
	bench(b, strings.Repeat("Сборка упала, потому что кэш хранил старую копию графа модулей. ", 800), func(s string) { Find(s) })
}

func BenchmarkFindInChinese(b *testing.B) {
	bench(b, strings.Repeat("构建失败，因为缓存保存了旧的模块图副本，第二步无法解析两个包。", 800), func(s string) { Find(s) })
}

func BenchmarkFindInKeywords(b *testing.B) {
	bench(b, strings.Repeat("The user prefers to ignore the dist folder; curl helps when memory is low.\n", 800), func(s string) { Find(s) })
}
