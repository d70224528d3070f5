// Package sqlstore is an [idempotency.Store] in a database that you already run:
// PostgreSQL, SQLite, MySQL or MariaDB, through database/sql and the driver that
// you have. It imports none.
package sqlstore
