-- title: Streaks
-- description: Consecutive due days that were done, as of a day: longest current streak first. Days that are not due
--   and skipped days do not interrupt a streak. Today interrupts a streak only after it is over. The report reads all
--   events of the habits.
-- group: habits
-- parameter: date date default today - Day of the report.
-- parameter: minimum integer default 1 - Minimum length of the current streak; 0 selects all habits.
-- parameter: user user optional - User whose habits are selected.
-- column: habit text - ID of the habit.
-- column: user text - ID of the owner.
-- column: title text - Title of the habit.
-- column: label text - Owner and title of the habit.
-- column: streak_current integer days - Current streak: number of consecutive due days that were done, up to the day.
-- column: streak_longest integer days - Longest streak up to the day.
-- column: status text status - Status of the habit on the day: On track, Near goal, Inactive or New.
-- column: color text color - Color of the status.
-- key: habit
-- formats: text csv json ndjson html parquet
-- table: user title streak_current streak_longest status
-- chart: bars streak_current by label color
-- example: --date 2026-11-20 --minimum 40
SELECT habits.id AS habit, habits.user, habits.title, habits.user || ': ' || habits.title AS label,
  standing.streak_current, standing.streak_longest, standing.status, standing.color
FROM habits
JOIN habit_standings(:date) AS standing ON standing.habit = habits.id
WHERE standing.streak_current >= :minimum
  AND (:user IS NULL OR habits.user = :user)
ORDER BY standing.streak_current DESC, standing.streak_longest DESC, habits.id
