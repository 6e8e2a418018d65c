-- title: Density
-- description: The number of events in each cell of a grid in degrees, largest number first. A cell includes its
--   southern and western edge. The grid ends at the poles and at the 180th meridian, which counts as 180 degrees west.
-- group: places
-- parameter: cell number default 0.01 - Cell size in degrees; 0.01 is about 1.1 km from south to north.
-- parameter: from date optional - First day of the events.
-- parameter: to date optional - Last day of the events.
-- parameter: user user optional - User whose events are selected.
-- parameter: habit habit optional - Habit whose events are selected, by ID or title.
-- column: west number degrees - Western edge of the cell (WGS 84, east positive).
-- column: south number degrees - Southern edge of the cell (WGS 84, north positive).
-- column: east number degrees - Eastern edge of the cell.
-- column: north number degrees - Northern edge of the cell.
-- column: events integer - Number of events in the cell.
-- column: users integer - Number of users with events in the cell.
-- column: first_day date - Day of the first event in the cell.
-- column: last_day date - Day of the last event in the cell.
-- key: west south
-- geometry: west south east north
-- formats: text csv json ndjson geojson geojsonseq html parquet
-- chart: map
-- example: --from 2026-11-01 --cell 0.05
SELECT
  CASE
    WHEN cells.cell_x * :cell < -180 THEN CAST(-180 AS DOUBLE PRECISION)
    ELSE cells.cell_x * :cell
  END AS west,
  CASE
    WHEN cells.cell_y * :cell < -90 THEN CAST(-90 AS DOUBLE PRECISION)
    ELSE cells.cell_y * :cell
  END AS south,
  CASE
    WHEN (cells.cell_x + 1) * :cell > 180 THEN CAST(180 AS DOUBLE PRECISION)
    ELSE (cells.cell_x + 1) * :cell
  END AS east,
  CASE
    WHEN (cells.cell_y + 1) * :cell > 90 THEN CAST(90 AS DOUBLE PRECISION)
    ELSE (cells.cell_y + 1) * :cell
  END AS north,
  cells.events, cells.users, cells.first_day, cells.last_day
FROM event_cells(:cell, :from, :to, :user, :habit) AS cells
ORDER BY cells.events DESC, west, south
