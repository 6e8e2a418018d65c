-- title: Quiet users
-- description: Users with a habit who have recorded nothing for a while, or never: the longest silence first. The events of
--   the 28 days that end with the last one tell who was busy before. Of others, what you may see counts.
-- parameter: date date default today - As of which day.
-- parameter: days integer default 14 - How many days without an event make a user quiet.
-- column: user text - The user's id.
-- column: name text - The user's name.
-- column: last_day date - The day of the last event; empty where there never was one.
-- column: days_quiet integer days - From then to the day asked for; empty where there never was one.
-- column: events_before integer - Events in the 28 days that end with the last one.
-- key: user
-- formats: text csv json ndjson html
-- nightly: csv html
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
  WHERE users.id IN (SELECT habits.user FROM habits)
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
WHERE latest.day IS NULL
  OR latest.day <= coalesce(day_add(:date, -:days), '0000-00-00')
ORDER BY latest.day NULLS FIRST, latest.id
