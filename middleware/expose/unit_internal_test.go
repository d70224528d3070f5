package expose

import (
	"fmt"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/call"
)

// Who may know of what can differ from caller to caller; what is remembered of it
// stays within its bound.
func TestViewsAreBounded(t *testing.T) {
	t.Parallel()
	const actions = 10
	var declarations []Declaration
	for i := range actions {
		d := Query(fmt.Sprintf("n.a%d", i), nil)
		d.Handler = (&Surface{}).handler(&unit{})
		d.Scopes = []string{d.Name}
		declarations = append(declarations, d)
	}
	surface, err := Compile(Config{Strategy: Grouped}, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	u := surface.units[0]
	for set := 1; set < 1<<actions; set++ {
		var caller call.Caller
		for i, d := range declarations {
			if set>>i&1 == 1 {
				caller.Scopes = append(caller.Scopes, d.Name)
			}
		}
		if got := surface.Filter(call.WithCaller(t.Context(), caller), []mcp.Tool{*u.full}); len(got) != 1 {
			t.Fatalf("set %b sees %d tools", set, len(got))
		}
		if len(u.views) > maxViews {
			t.Fatalf("%d views are remembered, want %d at most", len(u.views), maxViews)
		}
	}
}
