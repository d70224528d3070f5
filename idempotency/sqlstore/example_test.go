package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// pretend stands for sql.Open with a driver of yours; examples/postgres has real
// ones.
func pretend() *sql.DB { return sql.OpenDB(&script{reply: (&drama{}).reply}) }

func ExampleTx() {
	store, err := sqlstore.New(pretend(), sqlstore.MySQL)
	if err != nil {
		fmt.Println(err)
		return
	}
	engine, err := idempotency.New(store, idempotency.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	openCase := func(ctx context.Context) error {
		tx, err := sqlstore.Tx(ctx, sqlstore.WholeEffect())
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO effects (name) VALUES (?)", "R-2001")
		return err
	}
	op := idempotency.Operation{Scope: []string{"asixto"}, Name: "abrir_caso_soporte", Key: "01J8Z"}
	reply, err := engine.Do(context.Background(), op, func(ctx context.Context) idempotency.Settlement {
		if err := openCase(ctx); err != nil {
			return idempotency.Settlement{Verdict: idempotency.Abandon, Err: err} // and WholeEffect frees the key
		}
		return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("R-2001")}
	})
	fmt.Println(string(reply.Result), reply.Ran, err)
	// Output: R-2001 true <nil>
}

// WholeEffect is a promise about all that the run does. A payment elsewhere is
// not rolled back with the transaction: the key is freed after the failure, and
// the retry pays again. Without WholeEffect the outcome is unknown, as it is.
func ExampleWholeEffect_incorrect() {
	payments := 0
	pay := func(opts ...sqlstore.TxOption) error {
		store, err := sqlstore.New(pretend(), sqlstore.MySQL)
		if err != nil {
			return err
		}
		engine, err := idempotency.New(store, idempotency.Config{})
		if err != nil {
			return err
		}
		op := idempotency.Operation{Name: "pagar_factura", Key: "01J8Z"}
		for range 3 {
			_, err = engine.Do(context.Background(), op, func(ctx context.Context) idempotency.Settlement {
				if _, err := sqlstore.Tx(ctx, opts...); err != nil {
					return idempotency.Settlement{Err: err}
				}
				payments++ // in somebody else's system
				return idempotency.Settlement{Err: errors.New("read: connection reset by peer")}
			})
		}
		return err
	}
	_ = pay(sqlstore.WholeEffect())
	fmt.Println("wrong:", payments, "payments")
	payments = 0
	_ = pay()
	fmt.Println("right:", payments, "payment")
	// Output:
	// wrong: 3 payments
	// right: 1 payment
}

func ExampleStore_Migrations() {
	store, err := sqlstore.New(pretend(), sqlstore.PostgreSQL, sqlstore.WithSchema("fibra"), sqlstore.WithTable("claves"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range store.Migrations() {
		fmt.Print(m.SQL)
	}
	// Output:
	// CREATE TABLE IF NOT EXISTS "fibra"."portavoz_migrations" (
	// 	name       text        NOT NULL,
	// 	version    integer     NOT NULL,
	// 	applied_at timestamptz NOT NULL DEFAULT now(),
	// 	PRIMARY KEY (name, version)
	// );
	// CREATE TABLE IF NOT EXISTS "fibra"."claves" (
	// 	operation   bytea    PRIMARY KEY,
	// 	fingerprint bytea    NOT NULL,
	// 	token       bytea    NOT NULL,
	// 	state       smallint NOT NULL,
	// 	lease_until bigint   NOT NULL,
	// 	expires_at  bigint   NOT NULL,
	// 	result      bytea
	// );
	// CREATE INDEX IF NOT EXISTS "claves_expires_at" ON "fibra"."claves" (expires_at);
	// INSERT INTO "fibra"."portavoz_migrations" (name, version) VALUES ('claves', 1);
}
