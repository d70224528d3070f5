CREATE TABLE IF NOT EXISTS {versions} (
	name       VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	version    INT         NOT NULL,
	applied_at TIMESTAMP   NOT NULL DEFAULT CURRENT_TIMESTAMP,
	PRIMARY KEY (name, version)
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS {jobs} (
	id           VARBINARY(64)  PRIMARY KEY,
	job_key      BINARY(32)     NOT NULL UNIQUE,
	fingerprint  BINARY(32)     NOT NULL,
	owner        BINARY(32)     NOT NULL,
	tool         VARBINARY(255) NOT NULL,
	work         LONGBLOB       NOT NULL,
	wait_ms      BIGINT         NOT NULL,
	keep_ms      BIGINT         NOT NULL,
	attempts     INT            NOT NULL,
	state        SMALLINT       NOT NULL,
	begun        INT            NOT NULL,
	cancelled    SMALLINT       NOT NULL,
	token        VARBINARY(64)  NOT NULL,
	queued_at    BIGINT         NOT NULL,
	lease_until  BIGINT         NOT NULL,
	ended_at     BIGINT         NOT NULL,
	percent      INT            NOT NULL,
	progress     BLOB           NOT NULL,
	result       LONGBLOB,
	KEY {jobs_state} (state, queued_at),
	KEY {jobs_token} (token)
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS {approvals} (
	id           VARBINARY(64)  PRIMARY KEY,
	subject      BINARY(32)     UNIQUE,
	state        SMALLINT       NOT NULL,
	operation    VARBINARY(64)  NOT NULL,
	tool         VARBINARY(255) NOT NULL,
	reason       BLOB           NOT NULL,
	arguments    LONGBLOB       NOT NULL,
	caller       VARBINARY(255) NOT NULL,
	tenant       VARBINARY(255) NOT NULL,
	conversation VARBINARY(255) NOT NULL,
	request      VARBINARY(255) NOT NULL,
	ttl_ms       BIGINT         NOT NULL,
	requested_at BIGINT         NOT NULL,
	expires_at   BIGINT         NOT NULL,
	decided_by   VARBINARY(255) NOT NULL,
	decided_at   BIGINT         NOT NULL,
	note         BLOB           NOT NULL,
	KEY {approvals_state} (state, requested_at)
) ENGINE = InnoDB;
INSERT INTO {versions} (name, version) VALUES ({name}, 1);
