CREATE TABLE IF NOT EXISTS "main"."portavoz_migrations" (
	name       TEXT    NOT NULL,
	version    INTEGER NOT NULL,
	applied_at TEXT    NOT NULL DEFAULT CURRENT_TIMESTAMP,
	PRIMARY KEY (name, version)
);
CREATE TABLE IF NOT EXISTS "main"."portavoz_idempotency" (
	operation   BLOB    NOT NULL PRIMARY KEY,
	fingerprint BLOB    NOT NULL,
	token       BLOB    NOT NULL,
	state       INTEGER NOT NULL,
	lease_until INTEGER NOT NULL,
	expires_at  INTEGER NOT NULL,
	result      BLOB
);
CREATE INDEX IF NOT EXISTS "main"."portavoz_idempotency_expires_at" ON "portavoz_idempotency" (expires_at);
INSERT INTO "main"."portavoz_migrations" (name, version) VALUES ('portavoz_idempotency', 1);
