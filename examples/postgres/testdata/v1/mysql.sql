CREATE TABLE IF NOT EXISTS `portavoz_migrations` (
	name       VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
	version    INT         NOT NULL,
	applied_at TIMESTAMP   NOT NULL DEFAULT CURRENT_TIMESTAMP,
	PRIMARY KEY (name, version)
) ENGINE = InnoDB;
CREATE TABLE IF NOT EXISTS `portavoz_idempotency` (
	operation   BINARY(32)    NOT NULL PRIMARY KEY,
	fingerprint BINARY(32)    NOT NULL,
	token       VARBINARY(64) NOT NULL,
	state       TINYINT       NOT NULL,
	lease_until BIGINT        NOT NULL,
	expires_at  BIGINT        NOT NULL,
	result      LONGBLOB,
	KEY `portavoz_idempotency_expires_at` (expires_at)
) ENGINE = InnoDB;
INSERT INTO `portavoz_migrations` (name, version) VALUES ('portavoz_idempotency', 1);
