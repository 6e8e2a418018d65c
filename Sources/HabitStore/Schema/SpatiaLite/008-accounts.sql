-- The distinct time zones of accounts are found by lookups in an index.
CREATE INDEX account_time_zone ON account (time_zone);

-- The e-mail address that the issuer has verified, in lower case. It belongs to one identity only.
ALTER TABLE identity ADD COLUMN email TEXT;

CREATE UNIQUE INDEX identity_email ON identity (email);

-- Whether a sign-in has created the token. A user has a limited number of such tokens.
ALTER TABLE token ADD COLUMN is_session INTEGER NOT NULL DEFAULT 0 CHECK (is_session IN (0, 1));

UPDATE token SET is_session = 1 WHERE label = 'sign-in';

-- The ID tokens that have opened a session, until they expire. An ID token opens only one session. `sha256` is the digest of its
-- signed part.
CREATE TABLE used_id_token (
  id INTEGER PRIMARY KEY,
  sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
  expires_at BIGINT NOT NULL
);

CREATE INDEX used_id_token_end ON used_id_token (expires_at);
