-- title: Latest of friends
-- description: The newest event of each habit of everybody whom a user follows, newest first. A request to follow counts
--   once it has been accepted.
-- parameter: user user default me - Whose friends; the operator names a user.
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
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html
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
