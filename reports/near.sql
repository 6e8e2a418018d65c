-- title: Events near a position
-- description: Events within a distance of a position, nearest first. Distances are WGS 84 geodesics. The maximum
--   distance is included. Events without a position are excluded. The color is the color of the current status of the
--   habit.
-- group: places
-- parameter: near position required - Center of the search, or 'last' for the position of your newest located event.
-- parameter: within distance default 5km - Maximum distance from the center.
-- parameter: from date optional - First day of the events.
-- parameter: to date optional - Last day of the events.
-- parameter: user user optional - User whose events are selected.
-- parameter: habit habit optional - Habit whose events are selected, by ID or title.
-- column: id text - ID of the event.
-- column: user text - ID of the owner.
-- column: habit text - ID of the habit.
-- column: title text - Title of the habit.
-- column: day date - Local calendar date for which the event counts.
-- column: at instant - Local time of the event with its UTC offset; empty if only the day is known.
-- column: comment text - Comment of the owner.
-- column: outcome text outcome - 'done', or 'skipped' for a due day that the owner skipped.
-- column: has_photo boolean - Whether the record has a photo.
-- column: unplanned boolean - Whether the habit was not due on the day.
-- column: longitude number degrees - Longitude of the event (WGS 84, east positive); empty if unknown.
-- column: latitude number degrees - Latitude of the event (WGS 84, north positive); empty if unknown.
-- column: distance_m number m - Distance from the center.
-- column: status text status - Current status of the habit: On track, Near goal, Inactive or New.
-- column: color text color - Color of the status.
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html ics parquet
-- table: id user title day comment distance_m status
-- chart: map color circle near within
-- example: --near 38.7223,-9.1393 --within 300m
WITH found AS MATERIALIZED (
  SELECT events.id, events.user, events.habit, events.title, events.day, events.at, events.comment, events.outcome,
    events.has_photo, events.unplanned, events.longitude, events.latitude, near.distance_m
  FROM events_near(:near_longitude, :near_latitude, :within) AS near
  JOIN events ON events.id = near.id
  WHERE events.day >= coalesce(:from, '0001-01-01')
    AND events.day <= coalesce(:to, '9999-12-31')
    AND (:user IS NULL OR events.user = :user)
    AND (:habit IS NULL OR events.habit = :habit)
),
-- The status is computed once per habit instead of once per event.
colored AS MATERIALIZED (
  SELECT standing.habit, standing.status, standing.color
  FROM (SELECT DISTINCT found.habit FROM found) AS seen
  JOIN habit_standings(NULL) AS standing ON standing.habit = seen.habit
)
SELECT found.id, found.user, found.habit, found.title, found.day, found.at, found.comment, found.outcome,
  found.has_photo, found.unplanned, found.longitude, found.latitude, found.distance_m, colored.status, colored.color
FROM found
JOIN colored ON colored.habit = found.habit
ORDER BY found.distance_m, found.id
