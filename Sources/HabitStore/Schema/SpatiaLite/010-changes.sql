-- The changes of records, in the order of their commits. The program writes one row for each user whom a change concerns: a follow,
-- a claim and a message concern two. Clients that synchronize, live streams and nightly runs read the changes after a number.
-- A null matches every value: a row without `record_id` stands for all records of the kind, of one user or of all users.
CREATE TABLE change (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  user_id BIGINT,
  record_id TEXT,
  day TEXT
);

CREATE INDEX change_user ON change (user_id, number);

-- Changes that concern all users.
CREATE INDEX change_shared ON change (number) WHERE kind IN ('items', 'users');

-- The table has one row. Each transaction that changes the store increments `change`. `log_id` identifies the store and its log.
CREATE TABLE store (
  log_id TEXT NOT NULL,
  change BIGINT NOT NULL
);

INSERT INTO store (log_id, change) SELECT lower(hex(randomblob(16))), 0;
