-- The texts that are valid once, such as the ID tokens that have opened a session and the states of sign-ins, until they expire. `sha256`
-- is the digest of the text.
ALTER TABLE used_id_token RENAME TO used_once;
DROP INDEX used_id_token_end;

CREATE INDEX used_once_end ON used_once (expires_at);
