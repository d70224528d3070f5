package contract

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"
)

// Two descriptions are near-equal if of all pairs of neighbouring words in them
// they share at least these parts (Jaccard). Different verbs at the beginning
// tell two tools apart, so then it takes more.
const (
	nearSameVerb  = 0.80
	nearOtherVerb = 0.92
	shortest      = 4 // words; below, only equal texts count
)

// bands and rows of the MinHash index: sets that share 0.8 meet in a bucket with a
// probability above 0.998, and those that share 0.3 hardly ever. Each set is
// compared with a few of its bucket only, so that the time grows with the list and
// not with its square.
const (
	bands     = 12
	rows      = 4
	perBucket = 8
)

// wording is a description as a set of pairs of words.
type wording struct {
	tool  *definition
	first string
	text  string
	pairs []uint64 // sorted, each once
}

// similar finds descriptions that hardly differ. The later of two is the one found.
func (l *linter) similar() {
	buckets := make(map[[rows + 1]uint64][]*wording)
	exact := make(map[string]*wording)
	for i := range l.catalog.tools {
		d := &l.catalog.tools[i]
		p := newWording(d)
		if p == nil {
			continue
		}
		other, found := exact[p.text]
		if !found {
			exact[p.text] = p
			other, found = p.meet(buckets)
		}
		if found {
			l.find(d, "description-near-equal", "/description", Text{
				ES: "La descripción es casi igual a la de «" + other.tool.label() + "».",
				EN: `The description is nearly that of "` + other.tool.label() + `".`,
			})
		}
	}
}

func newWording(d *definition) *wording {
	text, _ := d.object["description"].(string)
	words := textWords(fold(text))
	if len(words) == 0 {
		return nil
	}
	p := &wording{tool: d, first: words[0], text: strings.Join(words, " ")}
	if len(words) < shortest {
		return p
	}
	for i := range words[1:] {
		h := fnv.New64a()
		h.Write([]byte(words[i] + " " + words[i+1]))
		p.pairs = append(p.pairs, h.Sum64())
	}
	slices.Sort(p.pairs)
	p.pairs = slices.Compact(p.pairs)
	return p
}

// meet looks for a near-equal phrase among those that were there before, and
// takes its place among them.
func (p *wording) meet(buckets map[[rows + 1]uint64][]*wording) (*wording, bool) {
	if p.pairs == nil {
		return nil, false
	}
	var nearest *wording
	for band := range bands {
		var key [rows + 1]uint64
		key[0] = uint64(band)
		for row := range rows {
			key[row+1] = p.least(uint64(band*rows + row))
		}
		for _, other := range buckets[key] {
			if p.near(other) && (nearest == nil || cmp.Less(other.tool.index, nearest.tool.index)) {
				nearest = other
			}
		}
		if len(buckets[key]) < perBucket {
			buckets[key] = append(buckets[key], p)
		}
	}
	return nearest, nearest != nil
}

// least is the smallest of the hashes under one of the permutations.
func (p *wording) least(permutation uint64) uint64 {
	least := ^uint64(0)
	for _, pair := range p.pairs {
		least = min(least, mix(pair^permutation*0x9e3779b97f4a7c15))
	}
	return least
}

// mix is the finalizer of SplitMix64: every bit of the input changes half of the
// output's.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (p *wording) near(other *wording) bool {
	shared := 0
	for i, j := 0, 0; i < len(p.pairs) && j < len(other.pairs); {
		switch c := cmp.Compare(p.pairs[i], other.pairs[j]); {
		case c == 0:
			shared, i, j = shared+1, i+1, j+1
		case c < 0:
			i++
		default:
			j++
		}
	}
	limit := nearSameVerb
	if p.first != other.first {
		limit = nearOtherVerb
	}
	return float64(shared) >= limit*float64(len(p.pairs)+len(other.pairs)-shared)
}
