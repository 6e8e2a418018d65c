-- The distinct time zones of accounts are found by lookups in an index.
CREATE INDEX account_time_zone ON account (time_zone);

-- The address that the issuer has verified, in lower case: of one identity only.
ALTER TABLE identity ADD COLUMN email TEXT;

CREATE UNIQUE INDEX identity_email ON identity (email);

-- Whether a sign-in has created the token. The number of these is limited for each user.
ALTER TABLE token ADD COLUMN is_session INTEGER NOT NULL DEFAULT 0 CHECK (is_session IN (0, 1));

UPDATE token SET is_session = 1 WHERE label = 'sign-in';

-- The ID tokens that have opened a session, until they expire: each opens one. Holds the SHA-256 of the signed part.
CREATE TABLE used_id_token (
  id INTEGER PRIMARY KEY,
  sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
  expires_at BIGINT NOT NULL
);

CREATE INDEX used_id_token_end ON used_id_token (expires_at);
