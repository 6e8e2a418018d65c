-- The search index contains each comment followed by two additional characters (U+0003). Each character of the comment therefore
-- begins a trigram, and a text of one or two characters is the beginning of some trigrams.
DROP TRIGGER event_comment_insert;
DROP TRIGGER event_comment_delete;
DROP TRIGGER event_comment_update_old;
DROP TRIGGER event_comment_update_new;
DROP TABLE event_comment;

CREATE VIEW event_comment_text AS
SELECT id, comment_folded || char(3, 3) AS text
FROM event
WHERE comment_folded <> '';

CREATE VIRTUAL TABLE event_comment USING fts5(
  text,
  content = 'event_comment_text',
  content_rowid = 'id',
  tokenize = 'trigram case_sensitive 1',
  detail = 'none',
  columnsize = 0
);

-- The trigrams in the order of their text, with the events that contain each.
CREATE VIRTUAL TABLE event_comment_term USING fts5vocab('event_comment', 'instance');

INSERT INTO event_comment (rowid, text) SELECT id, text FROM event_comment_text ORDER BY id;

CREATE TRIGGER event_comment_insert AFTER INSERT ON event WHEN new.comment_folded <> '' BEGIN
  INSERT INTO event_comment (rowid, text) VALUES (new.id, new.comment_folded || char(3, 3));
END;

CREATE TRIGGER event_comment_delete AFTER DELETE ON event WHEN old.comment_folded <> '' BEGIN
  INSERT INTO event_comment (event_comment, rowid, text) VALUES ('delete', old.id, old.comment_folded || char(3, 3));
END;

CREATE TRIGGER event_comment_update_old AFTER UPDATE OF comment_folded ON event
WHEN old.comment_folded <> '' AND old.comment_folded IS NOT new.comment_folded BEGIN
  INSERT INTO event_comment (event_comment, rowid, text) VALUES ('delete', old.id, old.comment_folded || char(3, 3));
END;

CREATE TRIGGER event_comment_update_new AFTER UPDATE OF comment_folded ON event
WHEN new.comment_folded <> '' AND old.comment_folded IS NOT new.comment_folded BEGIN
  INSERT INTO event_comment (rowid, text) VALUES (new.id, new.comment_folded || char(3, 3));
END;
