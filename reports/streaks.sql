-- title: Streaks
-- description: Due days done in a row, as of a day: the habits with the longest current streak first. Days that are not due
--   or were skipped are passed over; today breaks nothing before it is over. Reads the whole history of the habits.
-- parameter: date date default today - As of which day.
-- parameter: minimum integer default 1 - Only habits whose current streak has at least so many days; 0 for all.
-- parameter: user user optional - Only this user's habits.
-- column: habit text - The habit's id.
-- column: user text - Whose it is.
-- column: title text - The habit's title.
-- column: label text - Owner and title.
-- column: streak_current integer days - Due days done in a row, up to that day.
-- column: streak_longest integer days - The most there ever were in a row, up to that day.
-- column: status text - How the habit stood that day: On track, Near goal, Inactive or New.
-- column: color text - The colour of that status.
-- key: habit
-- formats: text csv json ndjson html
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
