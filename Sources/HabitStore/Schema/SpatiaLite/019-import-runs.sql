-- The imports that have changed records. `version` is the version of all records that the import has inserted, so a record of the user
-- with this version has not changed since. `habits`, `events` and `posts` are the numbers of inserted records, and `updated` is the
-- number of records that the store already had. The two changes are the first and the last one of the import in the log of changes.
CREATE TABLE import_run (
  id INTEGER PRIMARY KEY,
  external_id TEXT NOT NULL UNIQUE,
  user_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
  imported_at BIGINT NOT NULL,
  format TEXT NOT NULL,
  file TEXT NOT NULL,
  habits BIGINT NOT NULL,
  events BIGINT NOT NULL,
  posts BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  version BIGINT NOT NULL,
  first_change BIGINT,
  last_change BIGINT
);

CREATE INDEX import_run_user ON import_run (user_id);
