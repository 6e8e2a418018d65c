-- The number of located events by user and by tile of a map in Web Mercator, from which maps of many events are drawn. The user
-- 0 stands for all users. `cell` is a tile at the zoom 0, 4, 8, 12 or 16: a bit 1, and then one bit of the row, counted from the
-- north, and one of the column, counted from the west, for each zoom. A position beyond 85.05 degrees north or south is in the
-- first or the last row.
CREATE TABLE event_map (
  user_id BIGINT NOT NULL,
  cell BIGINT NOT NULL,
  events BIGINT NOT NULL CHECK (events >= 0),
  PRIMARY KEY (user_id, cell)
) WITHOUT ROWID;

-- Counts the stored events. One insertion into event_map_change for each event takes three times as long. LIMIT keeps SQLite
-- from computing a position once for each use.
INSERT INTO event_map (user_id, cell, events)
SELECT owner.number, place.cell >> level.shift, sum(place.events)
FROM (
  SELECT user_id, cell, count(*) AS events
  FROM (
    SELECT
      user_id,
      4294967296 | ((x | (x << 1)) & 1431655765) | (((y | (y << 1)) & 1431655765) << 1) AS cell
    FROM (
      SELECT user_id, (x | (x << 2)) & 858993459 AS x, (y | (y << 2)) & 858993459 AS y
      FROM (
        SELECT user_id, (x | (x << 4)) & 252645135 AS x, (y | (y << 4)) & 252645135 AS y
        FROM (
          SELECT user_id, (x | (x << 8)) & 16711935 AS x, (y | (y << 8)) & 16711935 AS y
          FROM (
            SELECT
              user_id,
              CAST(min(max((longitude + 180) / 360 * 65536, 0), 65535) AS INTEGER) AS x,
              CAST(min(max((0.5 - ln((1 + sine) / (1 - sine)) / 12.566370614359172) * 65536, 0), 65535) AS INTEGER) AS y
            FROM (
              SELECT
                user_id,
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
  )
  GROUP BY user_id, cell
) AS place
JOIN (SELECT id AS user_id, id AS number FROM account UNION ALL SELECT id, 0 FROM account) AS owner
  ON owner.user_id = place.user_id
JOIN (SELECT 0 AS shift UNION ALL VALUES (8), (16), (24), (32)) AS level
GROUP BY 1, 2;

-- Adds a number to the counts of the tiles that contain a position. Triggers insert into this view, which has no rows.
CREATE VIEW event_map_change (user_id, geometry, events) AS
SELECT 0, NULL, 0
WHERE FALSE;

CREATE TRIGGER event_map_change INSTEAD OF INSERT ON event_map_change BEGIN
  INSERT INTO event_map (user_id, cell, events)
  SELECT owner.number, place.cell >> level.shift, max(new.events, 0)
  FROM (
    SELECT
      4294967296 | ((x | (x << 1)) & 1431655765) | (((y | (y << 1)) & 1431655765) << 1) AS cell
    FROM (
      SELECT (x | (x << 2)) & 858993459 AS x, (y | (y << 2)) & 858993459 AS y
      FROM (
        SELECT (x | (x << 4)) & 252645135 AS x, (y | (y << 4)) & 252645135 AS y
        FROM (
          SELECT (x | (x << 8)) & 16711935 AS x, (y | (y << 8)) & 16711935 AS y
          FROM (
            SELECT
              CAST(min(max((longitude + 180) / 360 * 65536, 0), 65535) AS INTEGER) AS x,
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
    )
  ) AS place,
    (SELECT new.user_id AS number UNION ALL SELECT 0) AS owner,
    (SELECT 0 AS shift UNION ALL VALUES (8), (16), (24), (32)) AS level
  WHERE TRUE
  ON CONFLICT (user_id, cell) DO UPDATE SET events = events + new.events;
END;

CREATE TRIGGER event_map_empty AFTER UPDATE OF events ON event_map WHEN new.events = 0 BEGIN
  DELETE FROM event_map WHERE user_id = new.user_id AND cell = new.cell;
END;

CREATE TRIGGER event_map_insert AFTER INSERT ON event WHEN new.geometry IS NOT NULL BEGIN
  INSERT INTO event_map_change VALUES (new.user_id, new.geometry, 1);
END;

CREATE TRIGGER event_map_delete AFTER DELETE ON event WHEN old.geometry IS NOT NULL BEGIN
  INSERT INTO event_map_change VALUES (old.user_id, old.geometry, -1);
END;

CREATE TRIGGER event_map_update AFTER UPDATE OF user_id, geometry ON event
WHEN old.user_id <> new.user_id OR old.geometry IS NOT new.geometry BEGIN
  INSERT INTO event_map_change VALUES (old.user_id, old.geometry, -1);
  INSERT INTO event_map_change VALUES (new.user_id, new.geometry, 1);
END;
