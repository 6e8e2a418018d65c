-- The passkeys of users (WebAuthn). `credential` is the ID that the authenticator has given the passkey, and `user_handle` the random ID of
-- the user that the authenticator keeps with it. `public_key` is a SubjectPublicKeyInfo in DER. `counter` is the last number of signatures
-- that the authenticator has reported, which stays 0 if the authenticator does not count.
CREATE TABLE passkey (
  id INTEGER PRIMARY KEY,
  external_id TEXT NOT NULL UNIQUE,
  user_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
  credential BLOB NOT NULL UNIQUE CHECK (length(credential) BETWEEN 1 AND 1023),
  user_handle BLOB NOT NULL CHECK (length(user_handle) BETWEEN 1 AND 64),
  public_key BLOB NOT NULL,
  algorithm TEXT NOT NULL CHECK (algorithm IN ('ES256', 'RS256')),
  counter BIGINT NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
  label TEXT,
  created_at BIGINT NOT NULL,
  used_at BIGINT
);

CREATE INDEX passkey_user ON passkey (user_id);
