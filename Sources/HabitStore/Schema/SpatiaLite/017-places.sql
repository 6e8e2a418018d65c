-- The located events and posts by user and by tile of the map. A query of a user reads the tiles of the users whom the user can
-- see, so that its time does not depend on the records of other users. `cell` is the tile of zoom 16 as in event_map. `is_private`
-- is 1 for a position that only the owner and the operator see.
CREATE TABLE event_place (
  user_id BIGINT NOT NULL,
  cell BIGINT NOT NULL,
  record_id BIGINT NOT NULL,
  is_private INTEGER NOT NULL DEFAULT 0 CHECK (is_private IN (0, 1)),
  PRIMARY KEY (user_id, cell, record_id)
) WITHOUT ROWID;

CREATE TABLE post_place (
  user_id BIGINT NOT NULL,
  cell BIGINT NOT NULL,
  record_id BIGINT NOT NULL,
  is_private INTEGER NOT NULL DEFAULT 0 CHECK (is_private IN (0, 1)),
  PRIMARY KEY (user_id, cell, record_id)
) WITHOUT ROWID;

INSERT INTO event_place (user_id, cell, record_id)
SELECT
  user_id,
  4294967296 | ((x | (x << 1)) & 1431655765) | (((y | (y << 1)) & 1431655765) << 1) AS cell,
  id
FROM (
  SELECT user_id, id, (x | (x << 2)) & 858993459 AS x, (y | (y << 2)) & 858993459 AS y
  FROM (
    SELECT user_id, id, (x | (x << 4)) & 252645135 AS x, (y | (y << 4)) & 252645135 AS y
    FROM (
      SELECT user_id, id, (x | (x << 8)) & 16711935 AS x, (y | (y << 8)) & 16711935 AS y
      FROM (
        SELECT
          user_id,
          id,
          CAST(CASE longitude WHEN 180 THEN 0 ELSE min(max((longitude + 180) / 360 * 65536, 0), 65535) END AS INTEGER) AS x,
          CAST(min(max((0.5 - ln((1 + sine) / (1 - sine)) / 12.566370614359172) * 65536, 0), 65535) AS INTEGER) AS y
        FROM (
          SELECT
            user_id,
            id,
            ST_X(geometry) AS longitude,
            sin(min(max(ST_Y(geometry), -89.0), 89.0) * 0.017453292519943295) AS sine
          FROM event
          WHERE ST_X(geometry) IS NOT NULL
          LIMIT -1
        )
        LIMIT -1
      )
    )
  )
)
ORDER BY user_id, cell, id;

INSERT INTO post_place (user_id, cell, record_id)
SELECT
  user_id,
  4294967296 | ((x | (x << 1)) & 1431655765) | (((y | (y << 1)) & 1431655765) << 1) AS cell,
  id
FROM (
  SELECT user_id, id, (x | (x << 2)) & 858993459 AS x, (y | (y << 2)) & 858993459 AS y
  FROM (
    SELECT user_id, id, (x | (x << 4)) & 252645135 AS x, (y | (y << 4)) & 252645135 AS y
    FROM (
      SELECT user_id, id, (x | (x << 8)) & 16711935 AS x, (y | (y << 8)) & 16711935 AS y
      FROM (
        SELECT
          user_id,
          id,
          CAST(CASE longitude WHEN 180 THEN 0 ELSE min(max((longitude + 180) / 360 * 65536, 0), 65535) END AS INTEGER) AS x,
          CAST(min(max((0.5 - ln((1 + sine) / (1 - sine)) / 12.566370614359172) * 65536, 0), 65535) AS INTEGER) AS y
        FROM (
          SELECT
            user_id,
            id,
            ST_X(geometry) AS longitude,
            sin(min(max(ST_Y(geometry), -89.0), 89.0) * 0.017453292519943295) AS sine
          FROM post
          WHERE ST_X(geometry) IS NOT NULL
          LIMIT -1
        )
        LIMIT -1
      )
    )
  )
)
ORDER BY user_id, cell, id;

-- Adds or removes the tile of a position. Triggers insert into this view, which has no rows.
CREATE VIEW place_change (kind, is_added, user_id, geometry, record_id) AS
SELECT '', 0, 0, NULL, 0
WHERE FALSE;

-- Adds or removes a tile.
CREATE VIEW place_cell_change (kind, is_added, user_id, cell, record_id) AS
SELECT '', 0, 0, 0, 0
WHERE FALSE;

CREATE TRIGGER place_change INSTEAD OF INSERT ON place_change BEGIN
  INSERT INTO place_cell_change
  SELECT
    new.kind,
    new.is_added,
    new.user_id,
    4294967296 | ((x | (x << 1)) & 1431655765) | (((y | (y << 1)) & 1431655765) << 1),
    new.record_id
  FROM (
    SELECT (x | (x << 2)) & 858993459 AS x, (y | (y << 2)) & 858993459 AS y
    FROM (
      SELECT (x | (x << 4)) & 252645135 AS x, (y | (y << 4)) & 252645135 AS y
      FROM (
        SELECT (x | (x << 8)) & 16711935 AS x, (y | (y << 8)) & 16711935 AS y
        FROM (
          SELECT
            CAST(CASE longitude WHEN 180 THEN 0 ELSE min(max((longitude + 180) / 360 * 65536, 0), 65535) END AS INTEGER) AS x,
            CAST(min(max((0.5 - ln((1 + sine) / (1 - sine)) / 12.566370614359172) * 65536, 0), 65535) AS INTEGER) AS y
          FROM (
            SELECT
              ST_X(new.geometry) AS longitude,
              sin(min(max(ST_Y(new.geometry), -89.0), 89.0) * 0.017453292519943295) AS sine
            WHERE ST_X(new.geometry) IS NOT NULL
            LIMIT -1
          )
          LIMIT -1
        )
      )
    )
  );
END;

CREATE TRIGGER place_cell_change INSTEAD OF INSERT ON place_cell_change BEGIN
  INSERT INTO event_place (user_id, cell, record_id)
  SELECT new.user_id, new.cell, new.record_id
  WHERE new.kind = 'event' AND new.is_added;
  DELETE FROM event_place
  WHERE new.kind = 'event' AND NOT new.is_added
    AND user_id = new.user_id AND cell = new.cell AND record_id = new.record_id;
  INSERT INTO post_place (user_id, cell, record_id)
  SELECT new.user_id, new.cell, new.record_id
  WHERE new.kind = 'post' AND new.is_added;
  DELETE FROM post_place
  WHERE new.kind = 'post' AND NOT new.is_added
    AND user_id = new.user_id AND cell = new.cell AND record_id = new.record_id;
END;

CREATE TRIGGER event_place_insert AFTER INSERT ON event WHEN new.geometry IS NOT NULL BEGIN
  INSERT INTO place_change VALUES ('event', 1, new.user_id, new.geometry, new.id);
END;

CREATE TRIGGER event_place_delete AFTER DELETE ON event WHEN old.geometry IS NOT NULL BEGIN
  INSERT INTO place_change VALUES ('event', 0, old.user_id, old.geometry, old.id);
END;

CREATE TRIGGER event_place_update AFTER UPDATE OF id, user_id, geometry ON event
WHEN old.id <> new.id OR old.user_id <> new.user_id OR old.geometry IS NOT new.geometry BEGIN
  INSERT INTO place_change VALUES ('event', 0, old.user_id, old.geometry, old.id);
  INSERT INTO place_change VALUES ('event', 1, new.user_id, new.geometry, new.id);
END;

CREATE TRIGGER post_place_insert AFTER INSERT ON post WHEN new.geometry IS NOT NULL BEGIN
  INSERT INTO place_change VALUES ('post', 1, new.user_id, new.geometry, new.id);
END;

CREATE TRIGGER post_place_delete AFTER DELETE ON post WHEN old.geometry IS NOT NULL BEGIN
  INSERT INTO place_change VALUES ('post', 0, old.user_id, old.geometry, old.id);
END;

CREATE TRIGGER post_place_update AFTER UPDATE OF id, user_id, geometry ON post
WHEN old.id <> new.id OR old.user_id <> new.user_id OR old.geometry IS NOT new.geometry BEGIN
  INSERT INTO place_change VALUES ('post', 0, old.user_id, old.geometry, old.id);
  INSERT INTO place_change VALUES ('post', 1, new.user_id, new.geometry, new.id);
END;

-- The comments by user. A query of a user searches the comments of the users whom the user can see.
CREATE INDEX event_user_comment ON event (user_id, comment_folded) WHERE comment_folded IS NOT NULL;
