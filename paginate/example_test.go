package paginate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/paginate"
)

var cities = []string{"Bogotá", "Medellín", "Cali", "Barranquilla", "Cartagena", "Pereira", "Manizales"}

// A handler with decoded arguments, such as mcp-go's req.GetArguments().
func Example() {
	handler := func(args map[string]any, voice bool) (any, error) {
		p, err := paginate.Rules{}.FromMap(args, voice)
		if err != nil {
			return nil, err
		}
		return paginate.Slice(cities, p), nil
	}
	for _, args := range []map[string]any{{"limit": 2.0, "offset": 2.0}, {"limit": nil}, {"limit": 0.5}} {
		result, err := handler(args, true)
		if err != nil {
			fmt.Println(errors.From(err).Field+":", errors.Messages(nil).For(errors.From(err)))
			continue
		}
		raw, _ := json.Marshal(result)
		fmt.Println(string(raw))
	}
	// Output:
	// {"resultados":["Cali","Barranquilla"],"total":7,"limit":2,"offset":2}
	// {"resultados":["Bogotá","Medellín","Cali"],"total":7,"limit":3,"offset":0}
	// limit: El dato limit debe ser un número entero mayor que cero.
}

// The arguments as the client sent them, before anything has decoded them.
func ExampleRules_FromJSON() {
	p, err := paginate.Rules{}.FromJSON(json.RawMessage(`{"texto":"fibra","limit":100,"offset":1e1}`), false)
	fmt.Println(p.Limit, p.Offset, err)

	_, err = paginate.Rules{}.FromJSON(json.RawMessage(`{"limit":"diez","offset":-1}`), false)
	fmt.Println(errors.Messages(nil).For(errors.From(err)))
	// Output:
	// 25 10 <nil>
	// Los datos limit y offset deben ser números enteros dentro de lo permitido.
}

// A handler that decodes its arguments into a struct embeds the two.
func ExampleArgs() {
	var args struct {
		Texto string `json:"texto"`
		paginate.Args
	}
	if err := json.Unmarshal([]byte(`{"texto":"fibra","limit":4,"offset":null}`), &args); err != nil {
		fmt.Println(err)
		return
	}
	p, err := paginate.Rules{}.FromArgs(args.Args, false)
	fmt.Println(args.Texto, p.Limit, p.Offset, err)
	// Output: fibra 4 0 <nil>
}

// Wrong: a plain int takes neither null nor 10.0, which models send, and zero
// cannot be told from absent.
func ExampleArgs_incorrect() {
	sent := []byte(`{"limit":10.0,"offset":null}`)
	var wrong struct{ Limit, Offset int }
	fmt.Println("wrong:", json.Unmarshal(sent, &wrong))

	p, err := paginate.Rules{}.FromJSON(sent, false)
	fmt.Println("right:", p, err)
	// Output:
	// wrong: json: cannot unmarshal number 10.0 into Go struct field .Limit of type int
	// right: {10 0} <nil>
}

// Other bounds, for a gateway that is not the contract's.
func ExampleNewRules() {
	rules, err := paginate.NewRules(paginate.Config{DefaultLimit: 50, MaxLimit: 100, NumericStrings: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := rules.FromMap(map[string]any{"limit": "75"}, false)
	fmt.Println(p.Limit, err)

	_, err = paginate.NewRules(paginate.Config{DefaultLimit: 50, MaxOffset: -1})
	fmt.Println(err)
	// Output:
	// 75 <nil>
	// portavoz/paginate: MaxOffset must be between 0 and 1000000000
	// portavoz/paginate: DefaultLimit must not be above MaxLimit, 25
}

// Limit and Offset are property options of mcp-go as they are:
//
//	mcp.NewTool("buscar_planes",
//		mcp.WithInteger("limit", paginate.Rules{}.Limit),
//		mcp.WithInteger("offset", paginate.Rules{}.Offset))
func ExampleRules_Limit() {
	schema := map[string]any{"type": "integer"} // what mcp.WithInteger starts from
	paginate.Rules{}.Limit(schema)
	fmt.Println(schema["type"], schema["minimum"], schema["maximum"], schema["default"])
	fmt.Println(schema["description"])
	// Output:
	// [integer null] 1 25 10
	// Cuántos resultados devolver: 10 si no se indica y 25 como máximo (3 en voz).
}

// A raw input schema, with a property of one's own beside the two.
func ExampleRules_Properties() {
	properties := paginate.Rules{}.Properties()
	maps.Copy(properties, map[string]any{"texto": map[string]any{"type": "string", "maxLength": 80}})
	raw, err := json.Marshal(map[string]any{
		"type": "object", "properties": properties, "required": []string{"texto"}, "additionalProperties": false,
	})
	fmt.Println(json.Valid(raw), err)
	// Output: true <nil>
}

// The output schema of a search, for mcp.WithRawOutputSchema.
func ExampleRules_PageSchema() {
	city := map[string]any{"type": "string", "maxLength": 40}
	schema := paginate.Rules{}.PageSchema(city, paginate.Names{})
	raw, err := json.Marshal(schema["required"])
	fmt.Println(string(raw), err)
	// Output: ["resultados","total","limit","offset"] <nil>
}

// A source that counts and fetches, such as two SQL statements.
func ExampleFetch() {
	count := func(context.Context) (int, error) { return len(cities), nil } // SELECT count(*) ...
	fetch := func(_ context.Context, limit, offset int) ([]string, error) { // ... ORDER BY relevance, id LIMIT $1 OFFSET $2
		return cities[offset:min(offset+limit, len(cities))], nil
	}
	page, err := paginate.Fetch(context.Background(), paginate.Params{Limit: 3, Offset: 3}, count, fetch)
	if err != nil {
		fmt.Println(err)
		return
	}
	next, more := page.Next()
	fmt.Println(page.Results, page.Total, next, more)
	// Output: [Barranquilla Cartagena Pereira] 7 6 true
}

// Only what is on the page is turned into what is shown.
func ExampleMap() {
	page := paginate.Map(paginate.Slice(cities, paginate.Params{Limit: 2}), func(city string) map[string]string {
		return map[string]string{"ciudad": city}
	})
	raw, err := json.Marshal(page)
	fmt.Println(string(raw), err)
	// Output: {"resultados":[{"ciudad":"Bogotá"},{"ciudad":"Medellín"}],"total":7,"limit":2,"offset":0} <nil>
}

// Other names, and the next offset among them until the last page.
func ExamplePage_Named() {
	names := paginate.Names{Results: "ciudades", Next: "siguiente_offset"}
	for _, offset := range []int{3, 5} {
		page := paginate.Slice(cities, paginate.Params{Limit: 2, Offset: offset})
		raw, err := json.Marshal(page.Named(names))
		fmt.Println(string(raw), err)
	}
	// Output:
	// {"ciudades":["Barranquilla","Cartagena"],"total":7,"limit":2,"offset":3,"siguiente_offset":5} <nil>
	// {"ciudades":["Pereira","Manizales"],"total":7,"limit":2,"offset":5} <nil>
}

// A gateway takes 3,000 characters. What does not fit is left for the next page,
// and the encoding can be sent as it is.
func ExamplePage_Fit() {
	page, raw, err := paginate.Slice(cities, paginate.Params{}).Fit(80)
	if err != nil {
		fmt.Println(err)
		return
	}
	next, more := page.Next()
	fmt.Println(string(raw))
	fmt.Println(paginate.UTF16Len(raw), next, more)
	// Output:
	// {"resultados":["Bogotá","Medellín","Cali"],"total":7,"limit":3,"offset":0}
	// 74 3 true
}

// When not even one result fits, the page is the last one, so that nobody asks
// for it again and again. The failure to return is the handler's to choose.
func ExamplePage_Fit_nothing() {
	long := []string{"una descripción que no cabe"}
	page, _, err := paginate.Slice(long, paginate.Params{}).Fit(60)
	_, more := page.Next()
	fmt.Println(errors.Is(err, paginate.ErrNothingFits), len(page.Results), page.Total, more)
	// Output: true 0 1 false
}

// A list without a page around it. What else is in the answer counts too.
func ExamplePrefix() {
	const head, tail = `{"ciudades":`, `}`
	kept, raw, err := paginate.Prefix(cities, 50-paginate.UTF16Len(head+tail))
	fmt.Println(len(kept), head+string(raw)+tail, err)
	// Output: 3 {"ciudades":["Bogotá","Medellín","Cali"]} <nil>
}
