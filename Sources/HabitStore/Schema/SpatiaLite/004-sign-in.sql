-- Who somebody is to an issuer of identities, such as Google: the account that such a sign-in opens.
CREATE TABLE identity (
  id INTEGER PRIMARY KEY,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
  UNIQUE (issuer, subject)
);

CREATE INDEX identity_user ON identity (user_id);

-- What lets a program act for a user over HTTP, or for the operator (null), until it expires. The token itself is kept by whoever
-- got it: here is only what tells it again.
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
