-- One trigger for what a comment had and what it has: SQLite runs several in an order of its own, and the index forgot what both
-- texts of an edited comment had in common.
DROP TRIGGER event_comment_update_old;
DROP TRIGGER event_comment_update_new;

CREATE TRIGGER event_comment_update AFTER UPDATE OF comment_folded ON event
WHEN old.comment_folded IS NOT new.comment_folded BEGIN
  INSERT INTO event_comment (event_comment, rowid, text)
  SELECT 'delete', old.id, old.comment_folded || char(3, 3) WHERE old.comment_folded <> '';
  INSERT INTO event_comment (rowid, text) SELECT new.id, new.comment_folded || char(3, 3) WHERE new.comment_folded <> '';
END;

INSERT INTO event_comment (event_comment) VALUES ('delete-all');
INSERT INTO event_comment (rowid, text) SELECT id, text FROM event_comment_text ORDER BY id;
