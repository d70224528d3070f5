CREATE TABLE IF NOT EXISTS "portavoz_migrations" (
	name       text        NOT NULL,
	version    integer     NOT NULL,
	applied_at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (name, version)
);
CREATE TABLE IF NOT EXISTS "portavoz_idempotency" (
	operation   bytea    PRIMARY KEY,
	fingerprint bytea    NOT NULL,
	token       bytea    NOT NULL,
	state       smallint NOT NULL,
	lease_until bigint   NOT NULL,
	expires_at  bigint   NOT NULL,
	result      bytea
);
CREATE INDEX IF NOT EXISTS "portavoz_idempotency_expires_at" ON "portavoz_idempotency" (expires_at);
INSERT INTO "portavoz_migrations" (name, version) VALUES ('portavoz_idempotency', 1);
