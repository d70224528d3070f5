package contract

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// alike is from how much of what they say on two definitions are one that was
// renamed.
const alike = 0.7

// maxStrangers bounds the tools that are compared each with each.
const maxStrangers = 100

// stranger is a tool that is on one side only.
type stranger struct {
	tool   lockedTool
	traits map[string]bool
	rest   string // the definition without its name
}

// renamed pairs tools that went with tools that came: those that differ in nothing
// but the name, then those that are most alike.
func renamed(before, after map[string]lockedTool) [][2]lockedTool {
	gone, came := strangers(before, after), strangers(after, before)
	if len(gone) > maxStrangers || len(came) > maxStrangers {
		return nil
	}
	type match struct {
		from, to int
		likeness float64
	}
	var matches []match
	for i := range gone {
		for j := range came {
			if s := gone[i].likeness(came[j]); s >= alike {
				matches = append(matches, match{i, j, s})
			}
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int { return cmp.Compare(b.likeness, a.likeness) })
	var pairs [][2]lockedTool
	left, right := make(map[int]bool), make(map[int]bool)
	for _, m := range matches {
		if left[m.from] || right[m.to] {
			continue
		}
		left[m.from], right[m.to] = true, true
		pairs = append(pairs, [2]lockedTool{gone[m.from].tool, came[m.to].tool})
	}
	return pairs
}

// strangers are the tools that are not among the others, by name.
func strangers(tools, others map[string]lockedTool) []stranger {
	var list []stranger
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		if _, ok := others[name]; ok {
			continue
		}
		rest := maps.Clone(tools[name].object)
		delete(rest, "name")
		list = append(list, stranger{tool: tools[name], traits: traits(rest), rest: string(compact(rest))})
	}
	return list
}

// likeness is the part that two definitions share of the words of their
// descriptions, the names of their properties and their scenarios. It is above 1 if
// they are equal, and 0 if they say nothing.
func (s stranger) likeness(other stranger) float64 {
	shared := 0
	for trait := range s.traits {
		if other.traits[trait] {
			shared++
		}
	}
	switch all := len(s.traits) + len(other.traits) - shared; {
	case shared == 0:
		return 0
	case s.rest == other.rest:
		return 2
	default:
		return float64(shared) / float64(all)
	}
}

func traits(tool map[string]any) map[string]bool {
	set := make(map[string]bool)
	text, _ := tool["description"].(string)
	for _, word := range textWords(fold(text)) {
		set[word] = true
	}
	for _, key := range [...]string{"inputSchema", "outputSchema"} {
		schema, _ := tool[key].(map[string]any)
		properties, _ := schema["properties"].(map[string]any)
		for name := range properties {
			set[key+"/"+name] = true
		}
	}
	meta, _ := tool["_meta"].(map[string]any)
	for _, scenario := range scenarios(meta) {
		set["scenario "+strings.ToLower(scenario)] = true
	}
	return set
}
