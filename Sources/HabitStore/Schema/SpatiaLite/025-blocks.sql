-- A block hides two users from each other. Only the blocker sees and ends it. The program ends the follows and the claims of the two users.
CREATE TABLE block (
  id INTEGER PRIMARY KEY,
  blocker_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
  blocked_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
  blocked_at BIGINT,
  blocked_offset INTEGER,
  version BIGINT NOT NULL DEFAULT 0,
  UNIQUE (blocker_id, blocked_id),
  CHECK (blocker_id <> blocked_id)
);

CREATE INDEX block_blocked ON block (blocked_id, blocker_id);

-- A block of another program hides or shows records of all kinds that the two users can see, and nothing for other users.
CREATE TRIGGER block_other_insert AFTER INSERT ON block WHEN new.version = 0 BEGIN
  UPDATE block SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change
  SELECT kind.name, party.user_id, NULL, NULL, 0
  FROM (SELECT new.blocker_id AS user_id UNION ALL SELECT new.blocked_id) AS party
  CROSS JOIN (
    SELECT 'users' AS name UNION ALL SELECT 'items' UNION ALL SELECT 'claims' UNION ALL SELECT 'messages'
    UNION ALL SELECT 'reads'
  ) AS kind;
END;

CREATE TRIGGER block_other_update AFTER UPDATE ON block WHEN new.version = old.version BEGIN
  UPDATE block SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change
  SELECT kind.name, party.user_id, NULL, NULL, 0
  FROM (
    SELECT old.blocker_id AS user_id
    UNION ALL SELECT old.blocked_id
    UNION ALL SELECT new.blocker_id
    UNION ALL SELECT new.blocked_id
  ) AS party
  CROSS JOIN (
    SELECT 'users' AS name UNION ALL SELECT 'items' UNION ALL SELECT 'claims' UNION ALL SELECT 'messages'
    UNION ALL SELECT 'reads'
  ) AS kind;
END;

CREATE TRIGGER block_other_delete AFTER DELETE ON block WHEN old.version <> -1 BEGIN
  INSERT INTO other_change
  SELECT kind.name, party.user_id, NULL, NULL, 0
  FROM (SELECT old.blocker_id AS user_id UNION ALL SELECT old.blocked_id) AS party
  CROSS JOIN (
    SELECT 'users' AS name UNION ALL SELECT 'items' UNION ALL SELECT 'claims' UNION ALL SELECT 'messages'
    UNION ALL SELECT 'reads'
  ) AS kind;
END;
