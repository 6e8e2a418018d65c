-- The identities of users at issuers of ID tokens, such as Google. A sign-in with an identity opens the account `user_id`.
CREATE TABLE identity (
  id INTEGER PRIMARY KEY,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
  UNIQUE (issuer, subject)
);

CREATE INDEX identity_user ON identity (user_id);

-- The bearer tokens of HTTP clients. A client that sends a token acts as its user, or as the operator if `user_id` is null. The
-- table contains the SHA-256 digest of a token and not the token itself.
CREATE TABLE token (
  id INTEGER PRIMARY KEY,
  external_id TEXT NOT NULL UNIQUE,
  user_id INTEGER REFERENCES account ON DELETE CASCADE,
  sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
  label TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);

CREATE INDEX token_user ON token (user_id);
