CREATE TABLE IF NOT EXISTS {versions} (
	name       TEXT    NOT NULL,
	version    INTEGER NOT NULL,
	applied_at TEXT    NOT NULL DEFAULT CURRENT_TIMESTAMP,
	PRIMARY KEY (name, version)
);
CREATE TABLE IF NOT EXISTS {jobs} (
	id          BLOB    PRIMARY KEY,
	job_key     BLOB    NOT NULL UNIQUE,
	fingerprint BLOB    NOT NULL,
	owner       BLOB    NOT NULL,
	tool        BLOB    NOT NULL,
	work        BLOB    NOT NULL,
	wait_ms     INTEGER NOT NULL,
	keep_ms     INTEGER NOT NULL,
	attempts    INTEGER NOT NULL,
	state       INTEGER NOT NULL,
	begun       INTEGER NOT NULL,
	cancelled   INTEGER NOT NULL,
	token       BLOB    NOT NULL,
	queued_at   INTEGER NOT NULL,
	lease_until INTEGER NOT NULL,
	ended_at    INTEGER NOT NULL,
	percent     INTEGER NOT NULL,
	progress    BLOB    NOT NULL,
	result      BLOB
);
CREATE INDEX IF NOT EXISTS {jobs_state} ON {jobs_bare} (state, queued_at);
CREATE INDEX IF NOT EXISTS {jobs_token} ON {jobs_bare} (token);
CREATE TABLE IF NOT EXISTS {approvals} (
	id           BLOB    PRIMARY KEY,
	subject      BLOB    UNIQUE,
	state        INTEGER NOT NULL,
	operation    BLOB    NOT NULL,
	tool         BLOB    NOT NULL,
	reason       BLOB    NOT NULL,
	arguments    BLOB    NOT NULL,
	caller       BLOB    NOT NULL,
	tenant       BLOB    NOT NULL,
	conversation BLOB    NOT NULL,
	request      BLOB    NOT NULL,
	ttl_ms       INTEGER NOT NULL,
	requested_at INTEGER NOT NULL,
	expires_at   INTEGER NOT NULL,
	decided_by   BLOB    NOT NULL,
	decided_at   INTEGER NOT NULL,
	note         BLOB    NOT NULL
);
CREATE INDEX IF NOT EXISTS {approvals_state} ON {approvals_bare} (state, requested_at);
INSERT INTO {versions} (name, version) VALUES ({name}, 1);
