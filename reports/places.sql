-- title: Locations of habits
-- description: The locations of each habit: clusters of its events in the cells of a grid in degrees, most visited
--   first. The position of a location is the mean position of its events. A location on the edge of two cells can
--   appear twice. Skipped days and events without a position are excluded.
-- group: places
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
-- column: share number share - Fraction of the habit's located events that are at the location, 0 to 1.
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
SELECT places.habit, places.place, places.user, places.title, places.visits, places.share, places.first_day,
  places.last_day, places.longitude, places.latitude
FROM habit_places(:cell, :from, :to, :user, :habit) AS places
WHERE places.visits >= :min_visits
ORDER BY places.visits DESC, places.habit, places.place
