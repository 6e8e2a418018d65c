-- The places at which others see no positions of a user's events and posts, as one text: see PrivatePlaces in the program. `is_private` is 1
-- if the position of the record is in the hidden area of these places. The program writes it with the position and with the places.
ALTER TABLE account ADD COLUMN private_places TEXT;
ALTER TABLE event ADD COLUMN is_private INTEGER NOT NULL DEFAULT 0 CHECK (is_private IN (0, 1));
ALTER TABLE post ADD COLUMN is_private INTEGER NOT NULL DEFAULT 0 CHECK (is_private IN (0, 1));

-- The indexes by user contain private positions under the negative key of the user. A query of another user does not read them, so that its
-- time does not depend on them. `events` for the key 0 include them, because only the operator reads these counts.
ALTER TABLE event_place DROP COLUMN is_private;
ALTER TABLE post_place DROP COLUMN is_private;

DROP TRIGGER event_place_insert;
DROP TRIGGER event_place_delete;
DROP TRIGGER event_place_update;
DROP TRIGGER post_place_insert;
DROP TRIGGER post_place_delete;
DROP TRIGGER post_place_update;
DROP TRIGGER event_map_insert;
DROP TRIGGER event_map_delete;
DROP TRIGGER event_map_update;

CREATE TRIGGER event_place_insert AFTER INSERT ON event WHEN new.geometry IS NOT NULL BEGIN
  INSERT INTO place_change
  VALUES ('event', 1, CASE new.is_private WHEN 1 THEN -new.user_id ELSE new.user_id END, new.geometry, new.id);
END;

CREATE TRIGGER event_place_delete AFTER DELETE ON event WHEN old.geometry IS NOT NULL BEGIN
  INSERT INTO place_change
  VALUES ('event', 0, CASE old.is_private WHEN 1 THEN -old.user_id ELSE old.user_id END, old.geometry, old.id);
END;

CREATE TRIGGER event_place_update AFTER UPDATE OF id, user_id, geometry, is_private ON event
WHEN old.id <> new.id OR old.user_id <> new.user_id OR old.geometry IS NOT new.geometry OR old.is_private <> new.is_private BEGIN
  INSERT INTO place_change
  VALUES ('event', 0, CASE old.is_private WHEN 1 THEN -old.user_id ELSE old.user_id END, old.geometry, old.id);
  INSERT INTO place_change
  VALUES ('event', 1, CASE new.is_private WHEN 1 THEN -new.user_id ELSE new.user_id END, new.geometry, new.id);
END;

CREATE TRIGGER post_place_insert AFTER INSERT ON post WHEN new.geometry IS NOT NULL BEGIN
  INSERT INTO place_change
  VALUES ('post', 1, CASE new.is_private WHEN 1 THEN -new.user_id ELSE new.user_id END, new.geometry, new.id);
END;

CREATE TRIGGER post_place_delete AFTER DELETE ON post WHEN old.geometry IS NOT NULL BEGIN
  INSERT INTO place_change
  VALUES ('post', 0, CASE old.is_private WHEN 1 THEN -old.user_id ELSE old.user_id END, old.geometry, old.id);
END;

CREATE TRIGGER post_place_update AFTER UPDATE OF id, user_id, geometry, is_private ON post
WHEN old.id <> new.id OR old.user_id <> new.user_id OR old.geometry IS NOT new.geometry OR old.is_private <> new.is_private BEGIN
  INSERT INTO place_change
  VALUES ('post', 0, CASE old.is_private WHEN 1 THEN -old.user_id ELSE old.user_id END, old.geometry, old.id);
  INSERT INTO place_change
  VALUES ('post', 1, CASE new.is_private WHEN 1 THEN -new.user_id ELSE new.user_id END, new.geometry, new.id);
END;

CREATE TRIGGER event_map_insert AFTER INSERT ON event WHEN new.geometry IS NOT NULL BEGIN
  INSERT INTO event_map_change
  VALUES (CASE new.is_private WHEN 1 THEN -new.user_id ELSE new.user_id END, new.geometry, 1);
END;

CREATE TRIGGER event_map_delete AFTER DELETE ON event WHEN old.geometry IS NOT NULL BEGIN
  INSERT INTO event_map_change
  VALUES (CASE old.is_private WHEN 1 THEN -old.user_id ELSE old.user_id END, old.geometry, -1);
END;

CREATE TRIGGER event_map_update AFTER UPDATE OF user_id, geometry, is_private ON event
WHEN old.user_id <> new.user_id OR old.geometry IS NOT new.geometry OR old.is_private <> new.is_private BEGIN
  INSERT INTO event_map_change
  VALUES (CASE old.is_private WHEN 1 THEN -old.user_id ELSE old.user_id END, old.geometry, -1);
  INSERT INTO event_map_change
  VALUES (CASE new.is_private WHEN 1 THEN -new.user_id ELSE new.user_id END, new.geometry, 1);
END;
