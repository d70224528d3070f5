package main

import (
	"context"
	"fmt"
)

func Example_run() {
	if err := run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output: {"error":{"error_type":"SYSTEM","user_message":"La respuesta tardó más de lo esperado.","details":{"code":"timeout","retryable":true}}}
}
