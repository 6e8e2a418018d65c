-- Each record has a version, a random number that each change replaces. Versions of one record are compared, so that a client does not
-- overwrite a change that it has not read. A program that sets no version has a version set and its change logged by the triggers below.
-- A deleted record has the version -1 before its deletion if the program logs the deletion itself.
ALTER TABLE account ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE follow ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE habit ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE habit_schedule ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE event ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE item ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE claim ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE message ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE post ADD COLUMN version BIGINT NOT NULL DEFAULT 0;

-- The changes of records, in the order of their commits, with one row for each party: a follow, a claim and a message have two. A row
-- without `record_id` stands for all records of the kind and of the party. `audience` is the group of users that can see the change: the party (0), the
-- followers who see all events (1), all followers (2) or everyone (3). The log of an earlier version has no audiences, so it begins again.
DROP TABLE change;

CREATE TABLE change (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  user_id BIGINT,
  record_id TEXT,
  day TEXT,
  audience INTEGER NOT NULL CHECK (audience BETWEEN 0 AND 3)
);

CREATE INDEX change_party ON change (user_id, audience, number);

CREATE INDEX change_public ON change (number) WHERE audience = 3;

-- The changes of a kind that a client without a token may see, if the operator has made the records public.
CREATE INDEX change_shared ON change (kind, number) WHERE audience > 0;

-- `key` is a secret of the store, from which the server derives the keys of tags, tokens and links.
ALTER TABLE store ADD COLUMN key BLOB NOT NULL DEFAULT x'';
UPDATE store SET log_id = lower(hex(randomblob(16))), key = randomblob(32);

-- Logs the change of another program. Triggers insert into this view, which has no rows. A deletion that follows from the deletion of
-- another record cannot name its record, so its row stands for all records of the kind.
CREATE VIEW other_change (kind, user_id, record_id, day, audience) AS
SELECT '', 0, '', '', 0
WHERE FALSE;

CREATE TRIGGER other_change INSTEAD OF INSERT ON other_change WHEN new.user_id IS NOT NULL BEGIN
  INSERT INTO change (at, kind, user_id, record_id, day, audience)
  VALUES (
    CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000,
    new.kind,
    new.user_id,
    new.record_id,
    new.day,
    new.audience
  );
END;

CREATE TRIGGER account_other_insert AFTER INSERT ON account WHEN new.version = 0 BEGIN
  UPDATE account SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('users', new.id, new.external_id, NULL, 3);
END;

CREATE TRIGGER account_other_update AFTER UPDATE ON account WHEN new.version = old.version BEGIN
  UPDATE account SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('users', old.id, old.external_id, NULL, 3);
  INSERT INTO other_change VALUES ('users', new.id, new.external_id, NULL, 3);
END;

CREATE TRIGGER account_other_delete AFTER DELETE ON account WHEN old.version <> -1 BEGIN
  INSERT INTO other_change VALUES ('users', old.id, old.external_id, NULL, 3);
END;

CREATE TRIGGER follow_other_insert AFTER INSERT ON follow WHEN new.version = 0 BEGIN
  UPDATE follow SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change
  VALUES (
    'follows',
    new.follower_id,
    replace(replace((SELECT external_id FROM account WHERE id = new.follower_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = new.followee_id),
    NULL,
    0
  );
  INSERT INTO other_change
  VALUES (
    'follows',
    new.followee_id,
    replace(replace((SELECT external_id FROM account WHERE id = new.follower_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = new.followee_id),
    NULL,
    0
  );
END;

CREATE TRIGGER follow_other_update AFTER UPDATE ON follow WHEN new.version = old.version BEGIN
  UPDATE follow SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change
  VALUES (
    'follows',
    old.follower_id,
    replace(replace((SELECT external_id FROM account WHERE id = old.follower_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = old.followee_id),
    NULL,
    0
  );
  INSERT INTO other_change
  VALUES (
    'follows',
    old.followee_id,
    replace(replace((SELECT external_id FROM account WHERE id = old.follower_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = old.followee_id),
    NULL,
    0
  );
  INSERT INTO other_change
  VALUES (
    'follows',
    new.follower_id,
    replace(replace((SELECT external_id FROM account WHERE id = new.follower_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = new.followee_id),
    NULL,
    0
  );
  INSERT INTO other_change
  VALUES (
    'follows',
    new.followee_id,
    replace(replace((SELECT external_id FROM account WHERE id = new.follower_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = new.followee_id),
    NULL,
    0
  );
END;

CREATE TRIGGER follow_other_delete AFTER DELETE ON follow WHEN old.version <> -1 BEGIN
  INSERT INTO other_change
  VALUES (
    'follows',
    old.follower_id,
    replace(replace((SELECT external_id FROM account WHERE id = old.follower_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = old.followee_id),
    NULL,
    0
  );
  INSERT INTO other_change
  VALUES (
    'follows',
    old.followee_id,
    replace(replace((SELECT external_id FROM account WHERE id = old.follower_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = old.followee_id),
    NULL,
    0
  );
END;

CREATE TRIGGER habit_other_insert AFTER INSERT ON habit WHEN new.version = 0 BEGIN
  UPDATE habit SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('habits', new.user_id, new.external_id, NULL, 2);
END;

CREATE TRIGGER habit_other_update AFTER UPDATE ON habit WHEN new.version = old.version BEGIN
  UPDATE habit SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('habits', old.user_id, old.external_id, NULL, 2);
  INSERT INTO other_change VALUES ('habits', new.user_id, new.external_id, NULL, 2);
END;

CREATE TRIGGER habit_other_delete AFTER DELETE ON habit WHEN old.version <> -1 BEGIN
  INSERT INTO other_change VALUES ('habits', old.user_id, old.external_id, NULL, 2);
END;

CREATE TRIGGER habit_schedule_other_insert AFTER INSERT ON habit_schedule WHEN new.version = 0 BEGIN
  UPDATE habit_schedule SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  UPDATE habit SET version = abs(random() % 140737488355327) + 1 WHERE id = new.habit_id;
  INSERT INTO other_change
  VALUES (
    'habits',
    new.user_id,
    (SELECT external_id FROM habit WHERE id = new.habit_id),
    new.from_day,
    2
  );
END;

CREATE TRIGGER habit_schedule_other_update AFTER UPDATE ON habit_schedule WHEN new.version = old.version BEGIN
  UPDATE habit_schedule SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  UPDATE habit SET version = abs(random() % 140737488355327) + 1 WHERE id = new.habit_id;
  INSERT INTO other_change
  VALUES (
    'habits',
    old.user_id,
    (SELECT external_id FROM habit WHERE id = old.habit_id),
    old.from_day,
    2
  );
  INSERT INTO other_change
  VALUES (
    'habits',
    new.user_id,
    (SELECT external_id FROM habit WHERE id = new.habit_id),
    new.from_day,
    2
  );
END;

CREATE TRIGGER habit_schedule_other_delete AFTER DELETE ON habit_schedule WHEN old.version <> -1 BEGIN
  UPDATE habit SET version = abs(random() % 140737488355327) + 1 WHERE id = old.habit_id;
  INSERT INTO other_change
  VALUES (
    'habits',
    old.user_id,
    (SELECT external_id FROM habit WHERE id = old.habit_id),
    old.from_day,
    2
  );
END;

CREATE TRIGGER event_other_insert AFTER INSERT ON event WHEN new.version = 0 BEGIN
  UPDATE event SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('events', new.user_id, new.external_id, new.day, 2);
END;

CREATE TRIGGER event_other_update AFTER UPDATE ON event WHEN new.version = old.version BEGIN
  UPDATE event SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('events', old.user_id, old.external_id, old.day, 2);
  INSERT INTO other_change VALUES ('events', new.user_id, new.external_id, new.day, 2);
END;

CREATE TRIGGER event_other_delete AFTER DELETE ON event WHEN old.version <> -1 BEGIN
  INSERT INTO other_change VALUES ('events', old.user_id, old.external_id, old.day, 2);
END;

CREATE TRIGGER item_other_insert AFTER INSERT ON item WHEN new.version = 0 BEGIN
  UPDATE item SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('items', new.user_id, new.external_id, NULL, 3);
END;

CREATE TRIGGER item_other_update AFTER UPDATE ON item WHEN new.version = old.version BEGIN
  UPDATE item SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('items', old.user_id, old.external_id, NULL, 3);
  INSERT INTO other_change VALUES ('items', new.user_id, new.external_id, NULL, 3);
END;

CREATE TRIGGER item_other_delete AFTER DELETE ON item WHEN old.version <> -1 BEGIN
  INSERT INTO other_change VALUES ('items', old.user_id, old.external_id, NULL, 3);
  INSERT INTO other_change VALUES ('claims', old.user_id, NULL, NULL, 0);
END;

CREATE TRIGGER claim_other_insert AFTER INSERT ON claim WHEN new.version = 0 BEGIN
  UPDATE claim SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change
  VALUES (
    'claims',
    new.user_id,
    replace(replace((SELECT external_id FROM item WHERE id = new.item_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = new.user_id),
    NULL,
    0
  );
  INSERT INTO other_change
  VALUES (
    'claims',
    (SELECT user_id FROM item WHERE id = new.item_id),
    replace(replace((SELECT external_id FROM item WHERE id = new.item_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = new.user_id),
    NULL,
    0
  );
END;

CREATE TRIGGER claim_other_update AFTER UPDATE ON claim WHEN new.version = old.version BEGIN
  UPDATE claim SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change
  VALUES (
    'claims',
    old.user_id,
    replace(replace((SELECT external_id FROM item WHERE id = old.item_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = old.user_id),
    NULL,
    0
  );
  INSERT INTO other_change
  VALUES (
    'claims',
    (SELECT user_id FROM item WHERE id = old.item_id),
    replace(replace((SELECT external_id FROM item WHERE id = old.item_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = old.user_id),
    NULL,
    0
  );
  INSERT INTO other_change
  VALUES (
    'claims',
    new.user_id,
    replace(replace((SELECT external_id FROM item WHERE id = new.item_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = new.user_id),
    NULL,
    0
  );
  INSERT INTO other_change
  VALUES (
    'claims',
    (SELECT user_id FROM item WHERE id = new.item_id),
    replace(replace((SELECT external_id FROM item WHERE id = new.item_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = new.user_id),
    NULL,
    0
  );
END;

CREATE TRIGGER claim_other_delete AFTER DELETE ON claim WHEN old.version <> -1 BEGIN
  INSERT INTO other_change
  VALUES (
    'claims',
    old.user_id,
    replace(replace((SELECT external_id FROM item WHERE id = old.item_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = old.user_id),
    NULL,
    0
  );
  INSERT INTO other_change
  VALUES (
    'claims',
    (SELECT user_id FROM item WHERE id = old.item_id),
    replace(replace((SELECT external_id FROM item WHERE id = old.item_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = old.user_id),
    NULL,
    0
  );
END;

CREATE TRIGGER message_other_insert AFTER INSERT ON message WHEN new.version = 0 BEGIN
  UPDATE message SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('messages', new.sender_id, new.external_id, NULL, 0);
  INSERT INTO other_change VALUES ('messages', new.recipient_id, new.external_id, NULL, 0);
END;

CREATE TRIGGER message_other_update AFTER UPDATE ON message WHEN new.version = old.version BEGIN
  UPDATE message SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('messages', old.sender_id, old.external_id, NULL, 0);
  INSERT INTO other_change VALUES ('messages', old.recipient_id, old.external_id, NULL, 0);
  INSERT INTO other_change VALUES ('messages', new.sender_id, new.external_id, NULL, 0);
  INSERT INTO other_change VALUES ('messages', new.recipient_id, new.external_id, NULL, 0);
END;

CREATE TRIGGER message_other_delete AFTER DELETE ON message WHEN old.version <> -1 BEGIN
  INSERT INTO other_change VALUES ('messages', old.sender_id, old.external_id, NULL, 0);
  INSERT INTO other_change VALUES ('messages', old.recipient_id, old.external_id, NULL, 0);
END;

CREATE TRIGGER post_other_insert AFTER INSERT ON post WHEN new.version = 0 BEGIN
  UPDATE post SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('posts', new.user_id, new.external_id, NULL, 2);
END;

CREATE TRIGGER post_other_update AFTER UPDATE ON post WHEN new.version = old.version BEGIN
  UPDATE post SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change VALUES ('posts', old.user_id, old.external_id, NULL, 2);
  INSERT INTO other_change VALUES ('posts', new.user_id, new.external_id, NULL, 2);
END;

CREATE TRIGGER post_other_delete AFTER DELETE ON post WHEN old.version <> -1 BEGIN
  INSERT INTO other_change VALUES ('posts', old.user_id, old.external_id, NULL, 2);
END;
