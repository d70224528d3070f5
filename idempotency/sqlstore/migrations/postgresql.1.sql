CREATE TABLE IF NOT EXISTS {versions} (
	name       text        NOT NULL,
	version    integer     NOT NULL,
	applied_at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (name, version)
);
CREATE TABLE IF NOT EXISTS {table} (
	operation   bytea    PRIMARY KEY,
	fingerprint bytea    NOT NULL,
	token       bytea    NOT NULL,
	state       smallint NOT NULL,
	lease_until bigint   NOT NULL,
	expires_at  bigint   NOT NULL,
	result      bytea
);
CREATE INDEX IF NOT EXISTS {index} ON {table} (expires_at);
INSERT INTO {versions} (name, version) VALUES ({name}, 1);
