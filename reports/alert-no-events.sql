-- title: No events of the day
-- description: One row if nobody has an event on the day, for example because a load has failed.
-- group: alerts
-- parameter: date date default yesterday - The day.
-- column: store text - The text 'events'.
-- column: last_day date - Day of the last event before it; empty if there is none.
-- key: store
-- formats: text csv json ndjson html parquet
-- alert: the store has no events of the day; last event: {last_day}
-- example: --date 2026-11-25
SELECT 'events' AS store, (
    SELECT max(events.day)
    FROM events
    WHERE events.day <= :date
  ) AS last_day
WHERE NOT EXISTS (
  SELECT 1
  FROM events
  WHERE events.day = :date
)
ORDER BY store
