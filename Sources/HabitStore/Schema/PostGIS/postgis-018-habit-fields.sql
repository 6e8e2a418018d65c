-- The look of a habit, and two private values of its owner: the place of the habit among the owner's habits, and the local time of a
-- reminder. The program also checks that a symbol is one character.
ALTER TABLE habit ADD COLUMN tint INTEGER;
ALTER TABLE habit ADD COLUMN symbol TEXT COLLATE "C";
ALTER TABLE habit ADD COLUMN rank INTEGER;
ALTER TABLE habit ADD COLUMN remind_time TEXT COLLATE "C";
ALTER TABLE habit ADD CONSTRAINT habit_tint CHECK (tint BETWEEN 1 AND 6);
ALTER TABLE habit ADD CONSTRAINT habit_symbol CHECK (octet_length(symbol) BETWEEN 1 AND 64);
ALTER TABLE habit ADD CONSTRAINT habit_rank CHECK (rank BETWEEN 0 AND 1000000);
ALTER TABLE habit ADD CONSTRAINT habit_remind_time CHECK (remind_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$');
