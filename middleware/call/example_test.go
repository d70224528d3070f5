package call_test

import (
	"context"
	"fmt"

	"github.com/portavoz/portavoz/middleware/call"
)

// A handler reads who is calling and how the answer will be heard.
func Example() {
	handler := func(ctx context.Context) string {
		meta := call.MetaFrom(ctx)
		caller, ok := call.CallerFrom(ctx)
		if !ok {
			return "nobody is known"
		}
		return fmt.Sprintf("%s asks for %s by %s", caller.Name, meta.CompanyID, meta.Channel)
	}

	ctx := call.WithCaller(context.Background(), call.Caller{Name: "asixto"})
	ctx = call.WithMeta(ctx, call.Meta{CompanyID: "cmp_31a", Channel: call.Voice})
	fmt.Println(handler(ctx))
	fmt.Println(handler(context.Background()))
	// Output:
	// asixto asks for cmp_31a by voice
	// nobody is known
}

// Another gateway sends the same metadata under names of its own.
func ExampleKeys_Read() {
	keys := call.WithPrefix("com.example/")
	meta := keys.Read(map[string]any{
		"com.example/currency":       "COP",
		"com.example/idempotencyKey": 42,
	})
	fmt.Println(meta.Currency)
	fmt.Println(meta.KeyError)
	// Output:
	// COP
	// unusable idempotency key: not_a_string
}

// What the client says about its tenant is not what its credential proves:
// where the two differ, the credential is right.
func Example_wrong() {
	ctx := call.WithCaller(context.Background(), call.Caller{Name: "asixto", Tenant: "cmp_31a"})
	ctx = call.WithMeta(ctx, call.Meta{CompanyID: "cmp_99z"})

	believed := call.MetaFrom(ctx).CompanyID // wrong: anybody may write it
	caller, _ := call.CallerFrom(ctx)
	fmt.Println(believed == caller.Tenant)
	// Output:
	// false
}
