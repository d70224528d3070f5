CREATE TABLE IF NOT EXISTS {versions} (
	name       text        NOT NULL,
	version    integer     NOT NULL,
	applied_at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (name, version)
);
CREATE TABLE IF NOT EXISTS {jobs} (
	id          bytea    PRIMARY KEY,
	job_key     bytea    NOT NULL UNIQUE,
	fingerprint bytea    NOT NULL,
	owner       bytea    NOT NULL,
	tool        bytea    NOT NULL,
	work        bytea    NOT NULL,
	wait_ms     bigint   NOT NULL,
	keep_ms     bigint   NOT NULL,
	attempts    integer  NOT NULL,
	state       smallint NOT NULL,
	begun       integer  NOT NULL,
	cancelled   smallint NOT NULL,
	token       bytea    NOT NULL,
	queued_at   bigint   NOT NULL,
	lease_until bigint   NOT NULL,
	ended_at    bigint   NOT NULL,
	percent     integer  NOT NULL,
	progress    bytea    NOT NULL,
	result      bytea
);
CREATE INDEX IF NOT EXISTS {jobs_state} ON {jobs} (state, queued_at);
CREATE INDEX IF NOT EXISTS {jobs_token} ON {jobs} (token);
CREATE TABLE IF NOT EXISTS {approvals} (
	id           bytea    PRIMARY KEY,
	subject      bytea    UNIQUE,
	state        smallint NOT NULL,
	operation    bytea    NOT NULL,
	tool         bytea    NOT NULL,
	reason       bytea    NOT NULL,
	arguments    bytea    NOT NULL,
	caller       bytea    NOT NULL,
	tenant       bytea    NOT NULL,
	conversation bytea    NOT NULL,
	request      bytea    NOT NULL,
	ttl_ms       bigint   NOT NULL,
	requested_at bigint   NOT NULL,
	expires_at   bigint   NOT NULL,
	decided_by   bytea    NOT NULL,
	decided_at   bigint   NOT NULL,
	note         bytea    NOT NULL
);
CREATE INDEX IF NOT EXISTS {approvals_state} ON {approvals} (state, requested_at);
INSERT INTO {versions} (name, version) VALUES ({name}, 1);
