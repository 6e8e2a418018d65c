-- title: Events near a place
-- description: What happened within a distance of a place, nearest first, measured along the WGS 84 geodesic; what lies
--   exactly at the distance is in. Events without a place are not. The colour is that of the habit's status today.
-- parameter: near position required - The center of the search, or 'last' for your newest located event.
-- parameter: within distance default 5km - How far to look.
-- parameter: from date optional - Only events of this day or later.
-- parameter: to date optional - Only events of this day or earlier.
-- parameter: user user optional - Only this user's events.
-- parameter: habit habit optional - Only events of this habit, by its id or title.
-- column: id text - The event's id.
-- column: user text - Whose it is.
-- column: habit text - The habit's id.
-- column: title text - The habit's title.
-- column: day date - The calendar date it counts for, where it happened.
-- column: at instant - When it happened, on the clock of where it did; empty where only the day is known.
-- column: comment text - What its owner wrote about it.
-- column: outcome text - 'done', or 'skipped': a due day that was let off.
-- column: has_photo boolean - Whether it has a photo.
-- column: unplanned boolean - Whether the habit was not due that day.
-- column: longitude number degrees - Where it happened, on WGS 84, east positive; empty where that is not known.
-- column: latitude number degrees - Where it happened, on WGS 84, north positive; empty where that is not known.
-- column: distance_m number m - From the place asked for.
-- column: status text - How the habit stands today: On track, Near goal, Inactive or New.
-- column: color text - The colour of that status.
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html
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
-- Once for each habit, and not for each of its events.
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
