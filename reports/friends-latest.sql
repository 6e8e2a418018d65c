-- title: Latest of friends
-- description: The newest event of each habit of the followed users, newest first. Pending follow requests do not
--   count.
-- group: day
-- parameter: user user default me - User who follows; required if the operator runs the report.
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
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html ics parquet
-- table: user title day at outcome comment
-- chart: map
-- example: --user alice
SELECT events.id, events.user, events.habit, events.title, events.day, events.at, events.comment, events.outcome,
  events.has_photo, events.unplanned, events.longitude, events.latitude
FROM follows
JOIN habits ON habits.user = follows.followee
JOIN events ON events.habit = habits.id
WHERE follows.follower = :user
  AND follows.status = 'accepted'
  AND events.day = (
    SELECT newest.day
    FROM events AS newest
    WHERE newest.habit = habits.id
    ORDER BY newest.day DESC
    LIMIT 1
  )
ORDER BY events.day DESC, microseconds(events.at) DESC NULLS LAST, events.id DESC
