package main

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// desk is the help desk, in which cases are opened: the system of record. It is
// in the database in which the keys are.
type desk struct {
	db      *sql.DB
	dialect sqlstore.Dialect
	apart   bool
}

// casesTable makes the table of the cases, in the words of each database.
var casesTable = map[sqlstore.Dialect]string{
	sqlstore.PostgreSQL: `CREATE TABLE IF NOT EXISTS casos (numero bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, descripcion text NOT NULL)`,
	sqlstore.SQLite:     `CREATE TABLE IF NOT EXISTS casos (numero INTEGER PRIMARY KEY AUTOINCREMENT, descripcion TEXT NOT NULL)`,
	sqlstore.MySQL:      `CREATE TABLE IF NOT EXISTS casos (numero BIGINT AUTO_INCREMENT PRIMARY KEY, descripcion TEXT NOT NULL) ENGINE = InnoDB CHARACTER SET utf8mb4`,
}

// firstNumber is added to the numbers of the table.
const firstNumber = 2000

// writer is a database, or a transaction in it.
type writer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// open opens a case, and another one each time that it is called.
func (d desk) open(ctx context.Context, description string) (number string, err error) {
	to, err := d.writer(ctx)
	if err != nil {
		return "", err
	}
	n, err := d.insert(ctx, to, description)
	if err != nil {
		return "", err
	}
	return "R-" + strconv.FormatInt(firstNumber+n, 10), nil
}

// insert adds a row, and returns the number that it got.
func (d desk) insert(ctx context.Context, to writer, description string) (n int64, err error) {
	if d.dialect == sqlstore.PostgreSQL { // which does not know the last one
		err = to.QueryRowContext(ctx, `INSERT INTO casos (descripcion) VALUES ($1) RETURNING numero`, description).Scan(&n)
		return n, err
	}
	added, err := to.ExecContext(ctx, `INSERT INTO casos (descripcion) VALUES (?)`, description)
	if err != nil {
		return 0, err
	}
	return added.LastInsertId()
}

// writer is the transaction that will write the key of the call: the case is
// there when the key is, and never without it. That is all that the tool does.
func (d desk) writer(ctx context.Context) (writer, error) {
	if d.apart {
		return d.db, nil
	}
	return sqlstore.Tx(ctx, sqlstore.WholeEffect())
}

// find returns the description of a case.
func (d desk) find(ctx context.Context, number string) (string, error) {
	digits, _ := strings.CutPrefix(number, "R-")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return "", errUnknownCase
	}
	var description string
	query := `SELECT descripcion FROM casos WHERE numero = ?`
	if d.dialect == sqlstore.PostgreSQL {
		query = `SELECT descripcion FROM casos WHERE numero = $1`
	}
	err = d.db.QueryRowContext(ctx, query, n-firstNumber).Scan(&description)
	if errors.Is(err, sql.ErrNoRows) {
		return "", errUnknownCase
	}
	return description, err
}

var errUnknownCase = errors.NotFound("No encontré un caso con ese radicado.", errors.WithField("radicado"))
