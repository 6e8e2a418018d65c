-- title: Broken streaks
-- description: Habits that were missed on the day after a long streak, longest streak first.
-- group: alerts
-- parameter: date date default yesterday - Day on which the habit was missed.
-- parameter: length integer default 30 - Minimum length of the streak in due days.
-- column: habit text - ID of the habit.
-- column: user text - ID of the user.
-- column: title text - Title of the habit.
-- column: streak integer days - Length of the streak before the day.
-- key: habit
-- formats: text csv json ndjson html parquet
-- alert: {user}: the streak of {streak} days of '{title}' ended
-- example: --date 2026-11-18 --length 10
SELECT habits.id AS habit, habits.user, habits.title, before.streak
FROM habits
JOIN habit_days(:date, :date) AS today ON today.habit = habits.id
JOIN habit_days(day_add(:date, -1), day_add(:date, -1)) AS before ON before.habit = habits.id
WHERE today.outcome = 'missed'
  AND today.streak = 0
  AND before.streak >= :length
ORDER BY before.streak DESC, habits.id
