-- title: Habit status
-- description: How each habit stood on a day, and where it last happened in the 13 weeks before. Due and done days are those
--   of the 4 weeks, Monday to Sunday, that end with the week of the day; today counts once it is done. Of somebody else's
--   habits you see title, schedule and status.
-- parameter: date date default today - As of which day.
-- parameter: user user optional - Only this user's habits.
-- column: habit text - The habit's id.
-- column: user text - Whose it is.
-- column: title text - The habit's title.
-- column: label text - Owner and title.
-- column: days text - The weekdays of its schedule on that day.
-- column: status text - On track above a rate of 0.85, Near goal above 0.40, else Inactive; New where nothing was due.
-- column: color text - The colour of that status.
-- column: due integer days - Days on which it was due in the 4 weeks.
-- column: done integer days - Those of them on which it was done.
-- column: completion_rate number - Done by due days, 0 to 1; empty where nothing was due.
-- column: streak_current integer days - Due days done in a row, up to that day.
-- column: score number - Strength of the habit, 0 to 1: each due day done raises it, each day missed lowers it.
-- column: longitude number degrees - Where it last happened, on WGS 84, east positive; empty where that is not known.
-- column: latitude number degrees - Where it last happened, on WGS 84, north positive; empty where that is not known.
-- key: habit
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html
-- table: user title days status due done completion_rate streak_current score
-- chart: map color
-- chart: bars completion_rate by label color
-- nightly: csv geojson html
-- example: --date 2026-11-20 --user alice
SELECT habits.id AS habit, habits.user, habits.title, habits.user || ': ' || habits.title AS label, standing.days,
  standing.status, standing.color, standing.due, standing.done, standing.completion_rate, standing.streak_current,
  standing.score,
  (
    SELECT events.longitude
    FROM events
    WHERE events.habit = habits.id
      AND events.day > day_add(:date, -91)
      AND events.day <= :date
      AND events.longitude IS NOT NULL
    ORDER BY events.day DESC
    LIMIT 1
  ) AS longitude,
  (
    SELECT events.latitude
    FROM events
    WHERE events.habit = habits.id
      AND events.day > day_add(:date, -91)
      AND events.day <= :date
      AND events.longitude IS NOT NULL
    ORDER BY events.day DESC
    LIMIT 1
  ) AS latitude
FROM habits
JOIN habit_standings(:date) AS standing ON standing.habit = habits.id
WHERE (:user IS NULL OR habits.user = :user)
ORDER BY habits.user, habits.title, habits.id
