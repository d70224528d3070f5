package errors_test

import (
	"context"
	"fmt"
	"time"

	"github.com/portavoz/portavoz/errors"
)

func ExampleNotFound() {
	err := errors.NotFound("No encontré una cita con esos datos.",
		errors.WithNextQuestion("¿Con qué número de documento se pidió la cita?"))
	fmt.Printf("%s\n", err.AppendJSON(nil))
	// Output:
	// {"error":{"error_type":"NOT_FOUND","user_message":"No encontré una cita con esos datos.","details":{"next_question":"¿Con qué número de documento se pidió la cita?"}}}
}

func ExampleFrom() {
	// What a handler gets from a client of the billing service.
	err := fmt.Errorf("POST http://10.0.0.7/charges: %w", context.DeadlineExceeded)

	e := errors.From(err)
	fmt.Println("for the person:", errors.Messages(nil).For(e))
	fmt.Println("for a retry:   ", e.Code, "- retryable:", e.Retryable, "- effect:", e.Effect)
	fmt.Println("for the log:   ", e)
	// Output:
	// for the person: La respuesta tardó más de lo esperado.
	// for a retry:    timeout - retryable: true - effect: unknown
	// for the log:    SYSTEM timeout: POST http://10.0.0.7/charges: context deadline exceeded
}

// A business failure keeps its sentence through every layer that wraps it.
func ExampleFrom_wrapped() {
	err := error(errors.Validation("Esa fecha ya pasó.", errors.WithField("fecha")))
	err = fmt.Errorf("book the visit: %w", err)

	fmt.Printf("%s\n", errors.From(err).AppendJSON(nil))
	// Output:
	// {"error":{"error_type":"VALIDATION","user_message":"Esa fecha ya pasó.","details":{"field":"fecha"}}}
}

// The second step of a handler failed. By itself that would prove that nothing
// happened, and the charge would be made again.
func ExampleOutcomeUnknown() {
	charge := func() error { return nil }
	findEmail := func() error { return errors.NotFound("No encontré un correo para el recibo.") }

	pay := func() error {
		if err := charge(); err != nil {
			return err
		}
		if err := findEmail(); err != nil {
			return errors.OutcomeUnknown(err)
		}
		return nil
	}
	e := errors.From(pay())
	fmt.Println(e.Type, e.Code, e.Effect)
	fmt.Println(errors.Messages(nil).For(e))
	// Output:
	// UNKNOWN outcome_unknown unknown
	// No se pudo confirmar si la solicitud se completó, y conviene verificarlo antes de repetirla.
}

func ExampleNoEffect() {
	// The deadline passed, but the transaction was rolled back.
	err := errors.NoEffect(context.DeadlineExceeded)

	fmt.Println(errors.From(context.DeadlineExceeded).Effect)
	fmt.Println(errors.From(err).Effect)
	// Output:
	// unknown
	// none
}

func ExampleMessages() {
	messages := errors.Messages{
		errors.CodeUnavailable:        "La central de citas no responde, y conviene llamar de nuevo {retry_after}.",
		string(errors.TypePermission): "Ese cambio solo lo puede pedir el titular.",
		"credit_limit":                "El cupo no alcanza para esa compra.",
	}
	for _, e := range []*errors.Error{
		errors.System("", errors.WithCode(errors.CodeUnavailable), errors.WithRetryAfter(15*time.Second)),
		errors.Permission(""),
		errors.Blocker("", errors.WithCode("credit_limit")),
		errors.NotFound(""),
		errors.NotFound("No encontré esa factura."),
	} {
		fmt.Println(messages.For(e))
	}
	// Output:
	// La central de citas no responde, y conviene llamar de nuevo en unos veinte segundos.
	// Ese cambio solo lo puede pedir el titular.
	// El cupo no alcanza para esa compra.
	// No se encontró información con esos datos.
	// No encontré esa factura.
}

func ExampleParse() {
	e, err := errors.Parse([]byte(`{"error":{"error_type":"RATE_LIMIT","details":{"retry_after_seconds":20}}}`))
	fmt.Println(e.Type, e.RetryAfter, err)

	_, err = errors.Parse([]byte(`{"resultados":[],"total":0}`))
	fmt.Println(err)
	// Output:
	// UNKNOWN 20s <nil>
	// portavoz/errors: no object under "error"
}

func ExampleAsType() {
	err := fmt.Errorf("book the visit: %w", errors.Validation("Esa fecha ya pasó.", errors.WithField("fecha")))
	if e, ok := errors.AsType[*errors.Error](err); ok {
		fmt.Println(e.Type, e.Field)
	}
	// Output:
	// VALIDATION fecha
}
