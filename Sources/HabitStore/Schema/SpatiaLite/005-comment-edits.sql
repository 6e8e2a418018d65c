-- One trigger replaces the two triggers for the old and the new text of a comment. SQLite runs several triggers in an undefined
-- order. If it ran the delete trigger last, the index lost the trigrams that both texts contain.
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
