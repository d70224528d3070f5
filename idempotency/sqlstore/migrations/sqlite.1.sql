CREATE TABLE IF NOT EXISTS {versions} (
	name       TEXT    NOT NULL,
	version    INTEGER NOT NULL,
	applied_at TEXT    NOT NULL DEFAULT CURRENT_TIMESTAMP,
	PRIMARY KEY (name, version)
);
CREATE TABLE IF NOT EXISTS {table} (
	operation   BLOB    NOT NULL PRIMARY KEY,
	fingerprint BLOB    NOT NULL,
	token       BLOB    NOT NULL,
	state       INTEGER NOT NULL,
	lease_until INTEGER NOT NULL,
	expires_at  INTEGER NOT NULL,
	result      BLOB
);
CREATE INDEX IF NOT EXISTS {index} ON {bare} (expires_at);
INSERT INTO {versions} (name, version) VALUES ({name}, 1);
