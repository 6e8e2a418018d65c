-- title: Habit status
-- description: The status of each habit on a day, and the position of its newest located event in the 13 weeks up to
--   that day. Due and done days are counted in the 4 weeks (Monday to Sunday) that end with the week of the day. Today
--   counts after the habit is done. A user sees only the title, schedule and status of other users' habits.
-- group: habits
-- parameter: date date default today - Day of the report.
-- parameter: user user optional - User whose habits are selected.
-- column: habit text - ID of the habit.
-- column: user text - ID of the owner.
-- column: title text - Title of the habit.
-- column: label text - Owner and title of the habit.
-- column: days text - Weekdays of the schedule on the day; empty for a target.
-- column: times integer - Number of completions of the target on the day; empty for weekdays.
-- column: period_days integer days - Length of the period of the target; empty for weekdays.
-- column: schedule text schedule - Schedule on the day in words: the weekdays, or a target such as '3 times in 7 days'.
-- column: status text status - On track (completion rate above 0.85), Near goal (above 0.40), Inactive, or New (no due days).
-- column: color text color - Color of the status.
-- column: due integer days - Number of due days in the 4 weeks.
-- column: done integer days - Number of due days on which the habit was done.
-- column: completion_rate number share - Done days divided by due days, 0 to 1; empty without due days.
-- column: streak_current integer days - Number of consecutive due days that were done, up to the day.
-- column: score number share - Strength of the habit, 0 to 1; done days increase it and missed days decrease it.
-- column: longitude number degrees - Longitude of the newest located event (WGS 84, east positive); empty if unknown.
-- column: latitude number degrees - Latitude of the newest located event (WGS 84, north positive); empty if unknown.
-- key: habit
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html parquet
-- table: user title schedule status due done completion_rate streak_current score
-- chart: map color
-- chart: bars completion_rate by label color
-- nightly: csv geojson html
-- every: day week month
-- example: --date 2026-11-20 --user alice
SELECT habits.id AS habit, habits.user, habits.title, habits.user || ': ' || habits.title AS label, standing.days,
  standing.times, standing.period_days,
  CASE
    WHEN standing.times IS NULL THEN standing.days
    ELSE standing.times || CASE standing.times WHEN 1 THEN ' time in ' ELSE ' times in ' END
      || standing.period_days || CASE standing.period_days WHEN 1 THEN ' day' ELSE ' days' END
  END AS schedule,
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
