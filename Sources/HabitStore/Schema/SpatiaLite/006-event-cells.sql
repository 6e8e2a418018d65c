-- The events by cell and day. A cell is a square of a twentieth of a degree. Its number is 10,000 times its row, counted from the
-- south, plus its column, counted from the west. A search for the newest events of an area reads only the last days of its cells.
CREATE TABLE event_cell (
  cell INTEGER NOT NULL,
  day TEXT NOT NULL,
  event_id INTEGER NOT NULL,
  PRIMARY KEY (cell, day, event_id)
) WITHOUT ROWID;

INSERT INTO event_cell (cell, day, event_id)
SELECT
  10000 * CAST(20 * (ST_Y(geometry) + 90) AS INTEGER) + CAST(20 * (ST_X(geometry) + 180) AS INTEGER) AS cell,
  day,
  id
FROM event
WHERE ST_X(geometry) IS NOT NULL
ORDER BY cell, day, id;

CREATE TRIGGER event_cell_insert AFTER INSERT ON event WHEN new.geometry IS NOT NULL BEGIN
  INSERT INTO event_cell (cell, day, event_id)
  SELECT
    10000 * CAST(20 * (ST_Y(new.geometry) + 90) AS INTEGER) + CAST(20 * (ST_X(new.geometry) + 180) AS INTEGER),
    new.day,
    new.id
  WHERE ST_X(new.geometry) IS NOT NULL;
END;

CREATE TRIGGER event_cell_delete AFTER DELETE ON event WHEN old.geometry IS NOT NULL BEGIN
  DELETE FROM event_cell
  WHERE cell = 10000 * CAST(20 * (ST_Y(old.geometry) + 90) AS INTEGER) + CAST(20 * (ST_X(old.geometry) + 180) AS INTEGER)
    AND day = old.day AND event_id = old.id;
END;

CREATE TRIGGER event_cell_update AFTER UPDATE OF id, day, geometry ON event
WHEN old.id <> new.id OR old.day <> new.day OR old.geometry IS NOT new.geometry BEGIN
  DELETE FROM event_cell
  WHERE cell = 10000 * CAST(20 * (ST_Y(old.geometry) + 90) AS INTEGER) + CAST(20 * (ST_X(old.geometry) + 180) AS INTEGER)
    AND day = old.day AND event_id = old.id;
  INSERT INTO event_cell (cell, day, event_id)
  SELECT
    10000 * CAST(20 * (ST_Y(new.geometry) + 90) AS INTEGER) + CAST(20 * (ST_X(new.geometry) + 180) AS INTEGER),
    new.day,
    new.id
  WHERE ST_X(new.geometry) IS NOT NULL;
END;
