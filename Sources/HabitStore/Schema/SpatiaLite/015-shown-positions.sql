-- The position of an item for all users except its poster, its claimer and the operator: the center of its cell in a grid of
-- about 400 m. A row is 0.0036 degrees high, and the number of its columns depends on its latitude. The program writes the column
-- with the position. Numbers in units of 1e-7 degrees keep the centers exact.
ALTER TABLE item ADD COLUMN shown BLOB;

UPDATE item
SET shown = (
  SELECT MakePoint(
    (((2 * (CAST((longitude + 180) / 360 * columns AS INTEGER) % columns) + 1) * 1800000000 + columns / 2) / columns - 1800000000)
      / 10000000.0,
    (grid_row * 36000 - 899982000) / 10000000.0,
    4326)
  FROM (
    SELECT
      longitude,
      grid_row,
      max(CAST(round(100000.0 * cos((grid_row * 36000 - 899982000) / 10000000.0 * 0.017453292519943295)) AS INTEGER), 1) AS columns
    FROM (
      SELECT
        ST_X(item.geometry) AS longitude,
        min(max(CAST((ST_Y(item.geometry) + 90) / 0.0036 AS INTEGER), 0), 49999) AS grid_row
      LIMIT -1
    )
    LIMIT -1
  )
)
WHERE ST_X(geometry) IS NOT NULL;

-- The spatial index of the shown positions. It contains the same points as the column.
CREATE VIRTUAL TABLE idx_item_shown USING rtree(pkid, xmin, xmax, ymin, ymax);

INSERT INTO idx_item_shown (pkid, xmin, xmax, ymin, ymax)
SELECT id, ST_X(shown), ST_X(shown), ST_Y(shown), ST_Y(shown)
FROM item
WHERE ST_X(shown) IS NOT NULL;

CREATE TRIGGER item_shown_insert AFTER INSERT ON item WHEN new.shown IS NOT NULL BEGIN
  INSERT INTO idx_item_shown (pkid, xmin, xmax, ymin, ymax)
  SELECT new.id, ST_X(new.shown), ST_X(new.shown), ST_Y(new.shown), ST_Y(new.shown)
  WHERE ST_X(new.shown) IS NOT NULL;
END;

CREATE TRIGGER item_shown_delete AFTER DELETE ON item WHEN old.shown IS NOT NULL BEGIN
  DELETE FROM idx_item_shown WHERE pkid = old.id;
END;

CREATE TRIGGER item_shown_update AFTER UPDATE OF id, shown ON item
WHEN old.id <> new.id OR old.shown IS NOT new.shown BEGIN
  DELETE FROM idx_item_shown WHERE pkid = old.id;
  INSERT INTO idx_item_shown (pkid, xmin, xmax, ymin, ymax)
  SELECT new.id, ST_X(new.shown), ST_X(new.shown), ST_Y(new.shown), ST_Y(new.shown)
  WHERE ST_X(new.shown) IS NOT NULL;
END;
