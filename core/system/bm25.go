package system

import "math"

// BM25 returns how well each document matches a query, by the BM25 ranking function with b = 0.75
// and k1 = saturation. A document maps each of its words to the number of occurrences. A word that
// the query repeats counts each time.
func BM25(query []string, documents []map[string]int, saturation float64) []float64 {
	const lengths = 0.75 // b
	sizes, total := make([]int, len(documents)), 0
	holding := map[string]int{} // in how many documents each word occurs
	for i, d := range documents {
		for w, n := range d {
			sizes[i] += n
			holding[w]++
		}
		total += sizes[i]
	}
	average := 1.0
	if total > 0 {
		average = float64(total) / float64(len(documents))
	}
	scores := make([]float64, len(documents))
	for i, d := range documents {
		norm := saturation * (1 - lengths + lengths*float64(sizes[i])/average)
		for _, w := range query {
			df, tf := float64(holding[w]), float64(d[w])
			if tf > 0 {
				rare := math.Log(1 + (float64(len(documents))-df+0.5)/(df+0.5))
				scores[i] += rare * (tf * (saturation + 1)) / (tf + norm)
			}
		}
	}
	return scores
}
