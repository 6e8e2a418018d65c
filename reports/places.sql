-- title: Places of habits
-- description: Where each habit is done: its visits, gathered in the cells of a grid of degrees, the most visited first. The
--   place is the mean of the visits in a cell, so that one on the edge of two cells shows up twice. Skipped days and events
--   without a place are left out.
-- parameter: cell number default 0.002 - The side of a cell in degrees; 0.002 is about 220 m from south to north.
-- parameter: from date optional - Only events of this day or later.
-- parameter: to date optional - Only events of this day or earlier.
-- parameter: user user optional - Only this user's events.
-- parameter: habit habit optional - Only events of this habit, by its id or title.
-- parameter: min_visits integer default 1 - Only places with at least so many visits.
-- column: habit text - The habit's id.
-- column: place integer - 1 for the habit's most visited place, 2 for the next.
-- column: user text - Whose it is.
-- column: title text - The habit's title.
-- column: visits integer - Events there.
-- column: share number - Of the habit's events with a place, 0 to 1.
-- column: first_day date - The first visit.
-- column: last_day date - The last visit.
-- column: longitude number degrees - The mean of the visits, on WGS 84, east positive.
-- column: latitude number degrees - The mean of the visits, on WGS 84, north positive.
-- key: habit place
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html
-- table: user title place visits share first_day last_day longitude latitude
-- chart: map
-- example: --user alice --min-visits 5
WITH cells AS (
  SELECT events.habit, events.user, events.title, floor(events.longitude / :cell) AS cell_x,
    floor(events.latitude / :cell) AS cell_y, count(*) AS visits, min(events.day) AS first_day,
    max(events.day) AS last_day, 
    -- Whole numbers, since their sum is the same in whatever order: 1e-9 degrees are 0.1 mm.
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
