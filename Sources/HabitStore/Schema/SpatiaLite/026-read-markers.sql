-- The instants until which users have read the messages about items. Only the user sees the marker, which never moves backward.
CREATE TABLE read_marker (
  id INTEGER PRIMARY KEY,
  item_id BIGINT NOT NULL REFERENCES item ON DELETE CASCADE,
  user_id BIGINT NOT NULL REFERENCES account ON DELETE CASCADE,
  read_at BIGINT NOT NULL,
  read_offset INTEGER,
  version BIGINT NOT NULL DEFAULT 0,
  UNIQUE (item_id, user_id)
);

CREATE INDEX read_marker_user ON read_marker (user_id);

CREATE TRIGGER read_marker_other_insert AFTER INSERT ON read_marker WHEN new.version = 0 BEGIN
  UPDATE read_marker SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change
  VALUES (
    'reads',
    new.user_id,
    replace(replace((SELECT external_id FROM item WHERE id = new.item_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = new.user_id),
    NULL,
    0
  );
END;

CREATE TRIGGER read_marker_other_update AFTER UPDATE ON read_marker WHEN new.version = old.version BEGIN
  UPDATE read_marker SET version = abs(random() % 140737488355327) + 1 WHERE id = new.id;
  INSERT INTO other_change
  VALUES (
    'reads',
    old.user_id,
    replace(replace((SELECT external_id FROM item WHERE id = old.item_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = old.user_id),
    NULL,
    0
  );
  INSERT INTO other_change
  VALUES (
    'reads',
    new.user_id,
    replace(replace((SELECT external_id FROM item WHERE id = new.item_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = new.user_id),
    NULL,
    0
  );
END;

CREATE TRIGGER read_marker_other_delete AFTER DELETE ON read_marker WHEN old.version <> -1 BEGIN
  INSERT INTO other_change
  VALUES (
    'reads',
    old.user_id,
    replace(replace((SELECT external_id FROM item WHERE id = old.item_id), '%', '%25'), '/', '%2F')
      || '/' || (SELECT external_id FROM account WHERE id = old.user_id),
    NULL,
    0
  );
END;
