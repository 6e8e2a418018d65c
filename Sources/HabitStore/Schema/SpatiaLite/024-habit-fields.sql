-- The look of a habit, and two private values of its owner: the place of the habit among the owner's habits, and the local time of a
-- reminder. The program also checks that a symbol is one character.
ALTER TABLE habit ADD COLUMN tint INTEGER CHECK (tint BETWEEN 1 AND 6);
ALTER TABLE habit ADD COLUMN symbol TEXT CHECK (length(CAST(symbol AS BLOB)) BETWEEN 1 AND 64);
ALTER TABLE habit ADD COLUMN rank INTEGER CHECK (rank BETWEEN 0 AND 1000000);
ALTER TABLE habit ADD COLUMN remind_time TEXT CHECK (remind_time GLOB '[0-2][0-9]:[0-5][0-9]' AND remind_time < '24');
