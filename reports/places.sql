-- title: Locations of habits
-- description: The locations of each habit: clusters of its events in the cells of a grid in degrees, most visited
--   first. The position of a location is the mean position of its events. A location on the edge of two cells can
--   appear twice. Skipped days and events without a position are excluded.
-- parameter: cell number default 0.002 - Cell size in degrees; 0.002 is about 220 m from south to north.
-- parameter: from date optional - First day of the events.
-- parameter: to date optional - Last day of the events.
-- parameter: user user optional - User whose events are selected.
-- parameter: habit habit optional - Habit whose events are selected, by ID or title.
-- parameter: min_visits integer default 1 - Minimum number of events at a location.
-- column: habit text - ID of the habit.
-- column: place integer - Rank of the location: 1 for the most visited location of the habit, 2 for the next.
-- column: user text - ID of the owner.
-- column: title text - Title of the habit.
-- column: visits integer - Number of events at the location.
-- column: share number - Fraction of the habit's located events that are at the location, 0 to 1.
-- column: first_day date - Day of the first event at the location.
-- column: last_day date - Day of the last event at the location.
-- column: longitude number degrees - Mean longitude of the events (WGS 84, east positive).
-- column: latitude number degrees - Mean latitude of the events (WGS 84, north positive).
-- key: habit place
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html parquet
-- table: user title place visits share first_day last_day longitude latitude
-- chart: map
-- example: --user alice --min-visits 5
WITH cells AS (
  SELECT events.habit, events.user, events.title, floor(events.longitude / :cell) AS cell_x,
    floor(events.latitude / :cell) AS cell_y, count(*) AS visits, min(events.day) AS first_day,
    max(events.day) AS last_day, 
    -- Sums integers, because their sum does not depend on the order of the rows. 1e-9 degrees are about 0.1 mm.
    CAST(sum(CAST(floor(events.longitude * 1000000000 + 0.5) AS BIGINT)) AS DOUBLE PRECISION) / count(*) / 1000000000 AS longitude,
    CAST(sum(CAST(floor(events.latitude * 1000000000 + 0.5) AS BIGINT)) AS DOUBLE PRECISION) / count(*) / 1000000000 AS latitude
  FROM events
  WHERE events.outcome = 'done'
    AND events.longitude IS NOT NULL
    AND :cell >= 0.00001
    AND events.day >= coalesce(:from, '0001-01-01')
    AND events.day <= coalesce(:to, '9999-12-31')
    AND (:user IS NULL OR events.user = :user)
    AND (:habit IS NULL OR events.habit = :habit)
  GROUP BY events.habit, events.user, events.title, floor(events.longitude / :cell), floor(events.latitude / :cell)
),
places AS (
  SELECT cells.habit, cells.user, cells.title, cells.visits, cells.first_day, cells.last_day, cells.longitude,
    cells.latitude, CAST(cells.visits AS DOUBLE PRECISION) / sum(cells.visits) OVER (PARTITION BY cells.habit) AS share,
    row_number() OVER (PARTITION BY cells.habit ORDER BY cells.visits DESC, cells.cell_x, cells.cell_y) AS place
  FROM cells
)
SELECT places.habit, places.place, places.user, places.title, places.visits, places.share, places.first_day,
  places.last_day, places.longitude, places.latitude
FROM places
WHERE places.visits >= :min_visits
ORDER BY places.visits DESC, places.habit, places.place
