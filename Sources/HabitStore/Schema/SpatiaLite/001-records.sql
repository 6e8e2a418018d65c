-- Every record has an integer key `id`, which the store assigns. `external_id` is the ID of the record in its source.
-- Days are ISO 8601 text. Instants are microseconds since 1970 UTC. The UTC offset of their clock is in minutes; null means UTC.
-- The columns `*_folded` contain texts in the form that searches use: NFC after full case folding.

CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  external_id TEXT NOT NULL UNIQUE,
  name TEXT,
  email TEXT,
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  share_location INTEGER NOT NULL DEFAULT 1 CHECK (share_location IN (0, 1))
);

CREATE TABLE follow (
  id INTEGER PRIMARY KEY,
  follower_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
  followee_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
  status TEXT NOT NULL CHECK (status IN ('pending', 'accepted', 'rejected')),
  share TEXT NOT NULL CHECK (share IN ('all', 'latest')),
  requested_at INTEGER,
  requested_offset INTEGER,
  UNIQUE (follower_id, followee_id),
  CHECK (follower_id <> followee_id)
);

CREATE INDEX follow_followee ON follow (followee_id, follower_id);

CREATE TABLE habit (
  id INTEGER PRIMARY KEY,
  external_id TEXT NOT NULL UNIQUE,
  user_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
  title TEXT NOT NULL CHECK (trim(title) <> ''),
  title_folded TEXT NOT NULL,
  reason TEXT,
  weekdays INTEGER NOT NULL CHECK (weekdays BETWEEN 1 AND 127),
  start_day TEXT,
  end_day TEXT,
  CHECK (end_day >= start_day)
);

CREATE INDEX habit_user ON habit (user_id);
CREATE INDEX habit_title ON habit (title_folded);

-- The later schedules of a habit. The first one is in `habit`. Each applies from its `from_day` to the next one.
CREATE TABLE habit_schedule (
  id INTEGER PRIMARY KEY,
  habit_id INTEGER NOT NULL REFERENCES habit ON DELETE CASCADE,
  from_day TEXT NOT NULL,
  weekdays INTEGER NOT NULL CHECK (weekdays BETWEEN 1 AND 127),
  UNIQUE (habit_id, from_day)
);

CREATE TABLE photo (
  id INTEGER PRIMARY KEY,
  sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
  media_type TEXT NOT NULL,
  bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 65535)
);

CREATE TABLE event (
  id INTEGER PRIMARY KEY,
  external_id TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
  habit_id INTEGER NOT NULL REFERENCES habit ON DELETE CASCADE,
  day TEXT NOT NULL,
  occurred_at INTEGER,
  utc_offset INTEGER,
  comment TEXT,
  comment_folded TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'skipped')),
  unplanned INTEGER NOT NULL CHECK (unplanned IN (0, 1)),
  photo_id INTEGER REFERENCES photo
);

SELECT AddGeometryColumn('event', 'geometry', 4326, 'POINT', 'XY');

CREATE UNIQUE INDEX event_habit_day ON event (habit_id, day);
CREATE UNIQUE INDEX event_external_id ON event (external_id);
CREATE INDEX event_user_day ON event (user_id, day);
CREATE INDEX event_day ON event (day);
CREATE INDEX event_photo ON event (photo_id) WHERE photo_id IS NOT NULL;

SELECT CreateSpatialIndex('event', 'geometry');

-- Finds the comments that contain all trigrams of a text. A query then searches `comment_folded` for the text itself.
CREATE VIRTUAL TABLE event_comment USING fts5(
  comment_folded,
  content = 'event',
  content_rowid = 'id',
  tokenize = 'trigram case_sensitive 1',
  detail = 'none',
  columnsize = 0
);

CREATE TRIGGER event_comment_insert AFTER INSERT ON event WHEN new.comment_folded <> '' BEGIN
  INSERT INTO event_comment (rowid, comment_folded) VALUES (new.id, new.comment_folded);
END;

CREATE TRIGGER event_comment_delete AFTER DELETE ON event WHEN old.comment_folded <> '' BEGIN
  INSERT INTO event_comment (event_comment, rowid, comment_folded) VALUES ('delete', old.id, old.comment_folded);
END;

CREATE TRIGGER event_comment_update_old AFTER UPDATE OF comment_folded ON event
WHEN old.comment_folded <> '' AND old.comment_folded IS NOT new.comment_folded BEGIN
  INSERT INTO event_comment (event_comment, rowid, comment_folded) VALUES ('delete', old.id, old.comment_folded);
END;

CREATE TRIGGER event_comment_update_new AFTER UPDATE OF comment_folded ON event
WHEN new.comment_folded <> '' AND old.comment_folded IS NOT new.comment_folded BEGIN
  INSERT INTO event_comment (rowid, comment_folded) VALUES (new.id, new.comment_folded);
END;

CREATE TABLE item (
  id INTEGER PRIMARY KEY,
  external_id TEXT NOT NULL UNIQUE,
  user_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (trim(name) <> ''),
  description TEXT,
  photo_id INTEGER REFERENCES photo,
  state TEXT NOT NULL CHECK (state IN ('available', 'claimed', 'given', 'withdrawn')),
  posted_at INTEGER,
  posted_offset INTEGER,
  expires_day TEXT
);

SELECT AddGeometryColumn('item', 'geometry', 4326, 'POINT', 'XY');

CREATE INDEX item_user ON item (user_id);
CREATE INDEX item_photo ON item (photo_id) WHERE photo_id IS NOT NULL;

SELECT CreateSpatialIndex('item', 'geometry');

CREATE TABLE claim (
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('claimed', 'released', 'given')),
  claimed_at INTEGER,
  claimed_offset INTEGER,
  UNIQUE (item_id, user_id)
);

-- An item has at most one claim in force.
CREATE UNIQUE INDEX claim_in_force ON claim (item_id) WHERE state IN ('claimed', 'given');
CREATE INDEX claim_user ON claim (user_id, item_id);

CREATE TABLE message (
  id INTEGER PRIMARY KEY,
  external_id TEXT NOT NULL UNIQUE,
  item_id INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
  sender_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
  recipient_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
  sent_at INTEGER,
  sent_offset INTEGER,
  text TEXT NOT NULL CHECK (trim(text) <> ''),
  CHECK (sender_id <> recipient_id)
);

CREATE INDEX message_item ON message (item_id, sent_at);
CREATE INDEX message_sender ON message (sender_id);
CREATE INDEX message_recipient ON message (recipient_id);

CREATE TABLE post (
  id INTEGER PRIMARY KEY,
  external_id TEXT NOT NULL UNIQUE,
  user_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
  caption TEXT,
  photo_id INTEGER REFERENCES photo,
  posted_at INTEGER,
  posted_offset INTEGER,
  deleted_at INTEGER,
  deleted_offset INTEGER
);

SELECT AddGeometryColumn('post', 'geometry', 4326, 'POINT', 'XY');

CREATE INDEX post_user ON post (user_id, posted_at);
CREATE INDEX post_photo ON post (photo_id) WHERE photo_id IS NOT NULL;

SELECT CreateSpatialIndex('post', 'geometry');

CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
