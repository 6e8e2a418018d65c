-- title: Rhythm of the week
-- description: The number of events by weekday and hour of their local time. The weekday belongs to the day for which
--   the event counts: an event after midnight can count for the previous day. Skipped days are excluded.
-- group: habits
-- parameter: from date optional - First day of the events.
-- parameter: to date optional - Last day of the events.
-- parameter: user user optional - User whose events are selected.
-- parameter: habit habit optional - Habit whose events are selected, by ID or title.
-- column: weekday integer - Weekday, from 1 for Monday to 7 for Sunday.
-- column: hour integer h - Local hour of the events, 0 to 23; empty if only the day is known.
-- column: label text - Weekday and hour as text.
-- column: events integer - Number of events.
-- column: share number share - Fraction of all counted events, 0 to 1.
-- key: weekday hour
-- formats: text csv json ndjson html parquet
-- table: label events share
-- chart: week events by weekday hour
-- example: --user alice
SELECT counted.weekday, counted.hour,
  CASE counted.weekday
    WHEN 1 THEN 'Mon'
    WHEN 2 THEN 'Tue'
    WHEN 3 THEN 'Wed'
    WHEN 4 THEN 'Thu'
    WHEN 5 THEN 'Fri'
    WHEN 6 THEN 'Sat'
    ELSE 'Sun'
  END
  || CASE
    WHEN counted.hour IS NULL THEN ', no time'
    WHEN counted.hour < 10 THEN ' 0' || CAST(counted.hour AS TEXT) || ':00'
    ELSE ' ' || CAST(counted.hour AS TEXT) || ':00'
  END AS label,
  counted.events,
  CAST(counted.events AS DOUBLE PRECISION) / sum(counted.events) OVER () AS share
FROM event_hours(:from, :to, :user, :habit) AS counted
ORDER BY counted.weekday, counted.hour NULLS LAST
