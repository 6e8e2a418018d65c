-- title: Quiet users
-- description: Users who have a habit but no recent events, longest silence first. The number of events in the 28 days
--   up to the last event shows their previous activity. A user's result counts only shared events of other users.
-- group: alerts
-- parameter: date date default today - Day of the report.
-- parameter: days integer default 14 - Minimum number of days without an event.
-- column: user text - ID of the user.
-- column: name text - Display name of the user.
-- column: last_day date - Day of the last event; empty if the user has no events.
-- column: days_quiet integer days - Days from the last event to the day of the report; empty if the user has no events.
-- column: events_before integer - Number of events in the 28 days up to the last event.
-- key: user
-- formats: text csv json ndjson html parquet
-- nightly: csv html
-- every: day week month
-- alert: {user} is quiet; last event: {last_day}
-- example: --date 2026-11-20 --days 1
WITH latest AS MATERIALIZED (
  SELECT users.id, users.name,
    (
      SELECT events.day
      FROM events
      WHERE events.user = users.id
        AND events.day <= :date
      ORDER BY events.day DESC
      LIMIT 1
    ) AS day
  FROM users
)
SELECT latest.id AS user, latest.name, latest.day AS last_day, day_diff(:date, latest.day) AS days_quiet,
  (
    SELECT count(*)
    FROM events
    WHERE events.user = latest.id
      AND events.day > day_add(latest.day, -28)
      AND events.day <= latest.day
  ) AS events_before
FROM latest
WHERE latest.id IN (SELECT habits.user FROM habits)
  AND (latest.day IS NULL OR latest.day <= coalesce(day_add(:date, -:days), '0000-00-00'))
ORDER BY latest.day NULLS FIRST, latest.id
