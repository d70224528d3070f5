package expose

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// def is a part of a schema that a field refers to.
type def struct {
	base   string // a name for it: the last segment of the reference
	schema any
	refs   []string          // in its schema, sorted
	sum    [sha256.Size]byte // of the reference and the schema
	// bundle is the sum of the schema and of all that it refers to, to tell whether
	// two actions mean the same by a name.
	bundle [sha256.Size]byte
}

// readDefs collects what the fields refer to.
func (in *input) readDefs() error {
	if in.apart != "" {
		return nil
	}
	for _, f := range in.fields {
		refs, err := refsIn(f.schema)
		if err != nil {
			return err
		}
		f.refers = len(refs) > 0
		for _, ref := range refs {
			if err := in.addDef(ref); err != nil {
				return err
			}
		}
	}
	for ref, d := range in.defs {
		d.bundle = in.bundle(ref)
	}
	return nil
}

func (in *input) addDef(ref string) error {
	if in.defs[ref] != nil {
		return nil
	}
	found := in.lookup(ref)
	if o, ok := found.(object); ok {
		o = maps.Clone(o)
		for _, keyword := range [...]string{"$defs", "$schema", "definitions"} { // of the whole schema
			delete(o, keyword)
		}
		found = o
	}
	d := &def{base: baseName(ref), schema: found, sum: sha256.Sum256([]byte(strconv.Quote(ref) + encode(found)))}
	in.defs[ref] = d
	var err error
	if d.refs, err = refsIn(found); err != nil {
		return err
	}
	for _, inner := range d.refs {
		if err := in.addDef(inner); err != nil {
			return err
		}
	}
	return nil
}

// refsIn lists the references in a schema, sorted.
func refsIn(schema any) (refs []string, err error) {
	visit(schema, func(s object) {
		ref, ok := s["$ref"].(string)
		switch {
		case !ok:
		case ref != "#" && !strings.HasPrefix(ref, "#/"):
			err = fmt.Errorf("it refers to %q, which is no place in it", ref)
		default:
			refs = append(refs, ref)
		}
	})
	slices.Sort(refs)
	return slices.Compact(refs), err
}

// bundle sums up what a reference leads to, and all that this refers to.
func (in *input) bundle(ref string) [sha256.Size]byte {
	reached := map[string]bool{}
	var reach func(string)
	reach = func(ref string) {
		if reached[ref] {
			return
		}
		reached[ref] = true
		for _, inner := range in.defs[ref].refs {
			reach(inner)
		}
	}
	reach(ref)
	first := in.defs[ref].sum
	all := first[:]
	for _, r := range sortedKeys(reached) {
		all = append(all, in.defs[r].sum[:]...)
	}
	return sha256.Sum256(all)
}

// lookup follows a reference within the schema: a JSON Pointer (RFC 6901) in a
// fragment. It returns nil, which admits everything, if that leads nowhere.
func (in *input) lookup(ref string) any {
	var at any = in.root
	for _, step := range pointerSteps(ref) {
		switch v := at.(type) {
		case object:
			at = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			at = v[i]
		default:
			return nil
		}
	}
	return at
}

// baseName makes a name of a reference: "Address" of "#/$defs/Address".
func baseName(ref string) string {
	steps := pointerSteps(ref)
	if len(steps) == 0 {
		return "arguments"
	}
	return strings.Map(func(r rune) rune { // fit for a reference without escapes
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '.', r == '_':
			return r
		}
		return '_'
	}, steps[len(steps)-1])
}

// defNames gives each def that the actions refer to a name in one schema. What
// several actions mean the same by has one name; what they mean different things by
// bears the name of the action.
type defNames struct {
	of    map[*action]map[string]string // by reference
	taken map[string]bool
}

func nameDefs(actions []*action) *defNames {
	n := &defNames{of: map[*action]map[string]string{}, taken: map[string]bool{}}
	meanings := map[string]map[[sha256.Size]byte]bool{} // the bundles of each base name
	for _, a := range actions {
		for _, d := range a.input.defs {
			if meanings[d.base] == nil {
				meanings[d.base] = map[[sha256.Size]byte]bool{}
			}
			meanings[d.base][d.bundle] = true
		}
	}
	for base, bundles := range meanings {
		n.taken[base] = len(bundles) == 1
	}
	for _, a := range actions {
		n.of[a] = map[string]string{}
		for _, ref := range sortedKeys(a.input.defs) {
			base := a.input.defs[ref].base
			name := base
			if len(meanings[base]) > 1 {
				for name = a.key + "." + base; n.taken[name]; {
					name += "_"
				}
				n.taken[name] = true
			}
			n.of[a][ref] = name
		}
	}
	return n
}

// refer returns a schema of an action with its references under their new names. No
// argument of a grouped tool travels in a header.
func (n *defNames) refer(a *action, schema any) any {
	return rewrite(schema, func(s object) object {
		if ref, ok := s["$ref"].(string); ok {
			s["$ref"] = "#/$defs/" + n.of[a][ref]
		}
		delete(s, headerKeyword)
		return s
	})
}

// all returns the defs of the actions under their names, or nil.
func (n *defNames) all(actions []*action) object {
	defs := object{}
	for _, a := range actions {
		for ref, d := range a.input.defs {
			if name := n.of[a][ref]; defs[name] == nil {
				defs[name] = n.refer(a, orTrue(d.schema))
			}
		}
	}
	if len(defs) == 0 {
		return nil
	}
	return defs
}

func orTrue(schema any) any {
	if schema == nil {
		return true
	}
	return schema
}

// pointerSteps cuts the fragment of a reference into the steps of its pointer.
func pointerSteps(ref string) []string {
	pointer := strings.TrimPrefix(strings.TrimPrefix(ref, "#"), "/")
	if pointer == "" {
		return nil
	}
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		if decoded, err := url.PathUnescape(step); err == nil {
			step = decoded
		}
		steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
	}
	return steps
}
