package sqltable_test

import (
	"strings"
	"testing"

	"github.com/portavoz/portavoz/internal/sqltable"
)

// What is said to databases is tested where there are tables: in packages sqlstore and
// sqldesk, and in real databases in examples/postgres.

func TestWrong(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"clave": "", "cl'aves \"de\" `todos` ñ;--": "", strings.Repeat("ñ", 25): "",
		"": "is empty", strings.Repeat("ñ", 26): "has more than 50 bytes",
		"a?": "has a character that may not be in it", `a\`: "has a character that may not be in it", "{a": "has a character that may not be in it",
		"a\x00": "has a character that may not be in it", "a\u0085": "has a character that may not be in it", "\xff": "has a character that may not be in it",
	} {
		if got := sqltable.Wrong(name, sqltable.MaxName); got != want {
			t.Errorf("%q %s, want %q", name, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		d          sqltable.Dialect
		schema, in string
	}{
		{sqltable.PostgreSQL, `a"b`, `"a""b".`}, {sqltable.SQLite, "a`b", "\"a`b\"."}, {sqltable.MySQL, "a`\"b", "`a``\"b`."}, {sqltable.MySQL, "", ""},
	} {
		if got := tt.d.In(tt.schema); got != tt.in {
			t.Errorf("in %q: got %s, want %s", tt.schema, got, tt.in)
		}
	}
	if got, want := sqltable.Quoted("O'Higgins ''", "'"), "'O''Higgins '''''"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("?, ", 10) + "?"
	if got, want := sqltable.PostgreSQL.Number(many), "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := sqltable.SQLite.Number(many); got != many {
		t.Errorf("got %s, want it as it was", got)
	}
}
