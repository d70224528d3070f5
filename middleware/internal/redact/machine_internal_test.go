package redact

import (
	"strings"
	"testing"
)

func TestRedactLooksInternal(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		// Go
		"sql: no rows in result set",
		"consultar cliente: sql: no rows in result set",
		"pq: duplicate key value violates unique constraint \"clientes_pkey\"",
		"rpc error: code = Unavailable desc = connection error",
		"dial tcp 10.0.0.1:5432: connect: connection refused",
		"Get \"https://api.ejemplo.com/v1\": context deadline exceeded",
		"lookup db.ejemplo.com: no such host",
		"leer respuesta: unexpected EOF",
		"EOF",
		"leer: EOF",
		"context canceled",
		"read tcp 1.2.3.4:5->6.7.8.9:443: i/o timeout",
		"json: cannot unmarshal string into Go value of type int",
		"strconv.Atoi: parsing \"x\": invalid syntax",
		"x509: certificate signed by unknown authority",
		"runtime error: invalid memory address or nil pointer dereference",
		"valor inesperado: %!d(string=x)",
		"cliente <nil>",
		"&{Nombre:Ana Edad:3}",
		"&config.DB{Host:\"x\"}",
		"map[nombre:Ana]",
		"cliente map[nombre:Ana]",
		"main.go:12: falta el cliente",
		"puntero 0xc000123abc",
		// databases
		"ERROR: relation \"clientes\" does not exist (SQLSTATE 42P01)",
		"ORA-00942: table or view does not exist",
		"Error 1062 (23000): Duplicate entry 'x' for key 'y'",
		"SELECT * FROM clientes WHERE id = 1",
		"falló: insert into pagos (id) values (1)",
		"UPDATE clientes SET nombre = 'x'",
		"DELETE FROM pagos WHERE id = 1",
		// other languages
		"Traceback (most recent call last):",
		"Exception in thread \"main\" java.lang.X",
		"TypeError: x",
		"No se pudo: ValueError: x",
		"java.sql.SQLException: cerrada",
		"Cannot read properties of undefined (reading 'id')",
		"connect ECONNREFUSED 1.2.3.4:80",
		"[object Object]",
		"/app/node_modules/x/index.js:10",
		"x at foo (/app/x.js:1:2)",
		// dumps
		`{"error":"x"}`,
		`respuesta: {"error":"x"}`,
		`[{"a":1}]`,
		"<!DOCTYPE html><html></html>",
		"<?xml version=\"1.0\"?>",
		"mal: <p class=\"x\">502</p>",
		"502 Bad Gateway",
		"Internal Server Error",
	} {
		if !LooksInternal(s) {
			t.Errorf("LooksInternal(%q) = false, want true", s)
		}
	}
}

func TestRedactLooksInternalLetsPeopleTalk(t *testing.T) {
	t.Parallel()
	for _, s := range cleanTexts {
		if strings.HasPrefix(s, "{") {
			continue // JSON is for machines, secret or not
		}
		if LooksInternal(s) {
			t.Errorf("LooksInternal(%q) = true, want false", s)
		}
	}
}
