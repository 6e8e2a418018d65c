-- The position of an item for all users except its poster, its claimer and the operator: the center of its cell in a grid of
-- about 400 m. A row is 0.0036 degrees high, and the number of its columns depends on its latitude. The program writes the column
-- with the position. Numbers in units of 1e-7 degrees keep the centers exact.
ALTER TABLE item ADD COLUMN shown geometry(Point, 4326);

UPDATE item
SET shown = ST_SetSRID(
  ST_MakePoint(
    (((2 * (trunc((cell.longitude + 180) / 360 * cell.columns)::bigint % cell.columns) + 1) * 1800000000 + cell.columns / 2)
      / cell.columns - 1800000000)::double precision / 10000000,
    (cell.grid_row * 36000 - 899982000)::double precision / 10000000),
  4326)
FROM (
  SELECT
    id,
    longitude,
    grid_row,
    greatest(
      round(100000 * cos((grid_row * 36000 - 899982000)::double precision / 10000000 * 0.017453292519943295::double precision))::bigint,
      1) AS columns
  FROM (
    SELECT
      id,
      ST_X(geometry) AS longitude,
      least(greatest(trunc((ST_Y(geometry) + 90) / 0.0036::double precision)::bigint, 0), 49999) AS grid_row
    FROM item
    WHERE geometry IS NOT NULL
  ) AS placed
) AS cell
WHERE cell.id = item.id;

CREATE INDEX item_shown ON item USING gist (shown);
