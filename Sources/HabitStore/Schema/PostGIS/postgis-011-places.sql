-- The located events and posts by user and by tile of the map. A query of a user reads the tiles of the users whom the user can
-- see, so that its time does not depend on the records of other users. `is_private` is 1 for a position that only the owner and the
-- operator see.
ALTER TABLE event ADD COLUMN is_private INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event ADD CONSTRAINT event_is_private CHECK (is_private IN (0, 1));
ALTER TABLE post ADD COLUMN is_private INTEGER NOT NULL DEFAULT 0;
ALTER TABLE post ADD CONSTRAINT post_is_private CHECK (is_private IN (0, 1));

CREATE INDEX event_place ON event (user_id, map_cell(ST_X(geometry), ST_Y(geometry)), is_private) WHERE geometry IS NOT NULL;
CREATE INDEX post_place ON post (user_id, map_cell(ST_X(geometry), ST_Y(geometry)), is_private) WHERE geometry IS NOT NULL;

-- The comments by user. A query of a user searches the comments of the users whom the user can see. An entry of a b-tree index can
-- have 2,704 bytes.
CREATE INDEX event_user_comment ON event (user_id, comment_folded) INCLUDE (id) WHERE octet_length(comment_folded) <= 2000;
CREATE INDEX event_user_long_comment ON event (user_id) INCLUDE (id) WHERE octet_length(comment_folded) > 2000;
