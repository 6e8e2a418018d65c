-- Names, titles, reasons, units and labels have one line. A space replaces each control character and each line break: U+0001 to
-- U+001F, U+007F to U+009F, U+2028 and U+2029. Case folding does not change these characters. A title or a name of an item that is
-- then blank becomes 'untitled', and another blank text becomes null.
CREATE TEMP TABLE single_line (
  field TEXT NOT NULL,
  record INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (field, record)
);

INSERT INTO single_line (field, record, text)
WITH RECURSIVE
stored (field, record, text) AS (
  SELECT 'name', id, name FROM account
  UNION ALL
  SELECT 'title', id, title FROM habit
  UNION ALL
  SELECT 'title_folded', id, title_folded FROM habit
  UNION ALL
  SELECT 'reason', id, reason FROM habit
  UNION ALL
  SELECT 'unit', id, unit FROM habit
  UNION ALL
  SELECT 'item', id, name FROM item
  UNION ALL
  SELECT 'label', id, label FROM token
),
cleaned (field, record, text, code) AS (
  SELECT field, record, replace(text, char(13, 10), ' '), 1
  FROM stored
  WHERE text GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || char(8232, 8233) || ']*'
  UNION ALL
  SELECT field, record, replace(text, char(code), ' '), CASE code WHEN 31 THEN 127 WHEN 159 THEN 8232 ELSE code + 1 END
  FROM cleaned
  WHERE code <= 8233
)
SELECT field, record, text
FROM cleaned
WHERE code = 8234;

UPDATE single_line
SET text = CASE WHEN field IN ('title', 'title_folded', 'item') THEN 'untitled' ELSE '' END
WHERE trim(
  text,
  char(32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8239, 8287, 12288)) = '';

UPDATE account
SET name = nullif((SELECT text FROM single_line WHERE field = 'name' AND record = account.id), '')
WHERE id IN (SELECT record FROM single_line WHERE field = 'name');

UPDATE habit
SET title = (SELECT text FROM single_line WHERE field = 'title' AND record = habit.id),
  title_folded = (SELECT text FROM single_line WHERE field = 'title_folded' AND record = habit.id)
WHERE id IN (SELECT record FROM single_line WHERE field = 'title');

UPDATE habit
SET reason = nullif((SELECT text FROM single_line WHERE field = 'reason' AND record = habit.id), '')
WHERE id IN (SELECT record FROM single_line WHERE field = 'reason');

UPDATE habit
SET unit = nullif((SELECT text FROM single_line WHERE field = 'unit' AND record = habit.id), '')
WHERE id IN (SELECT record FROM single_line WHERE field = 'unit');

UPDATE item
SET name = (SELECT text FROM single_line WHERE field = 'item' AND record = item.id)
WHERE id IN (SELECT record FROM single_line WHERE field = 'item');

UPDATE token
SET label = nullif((SELECT text FROM single_line WHERE field = 'label' AND record = token.id), '')
WHERE id IN (SELECT record FROM single_line WHERE field = 'label');

-- A text that is not one email address is removed, because mail programs take such a text for an option, a command, a file or several
-- addresses.
INSERT INTO single_line (field, record, text)
WITH address (field, record, text) AS (
  SELECT 'email', id, email FROM account
  UNION ALL
  SELECT 'identity', id, email FROM identity
)
SELECT field, record, ''
FROM address
WHERE text NOT GLOB '?*@?*'
  OR text GLOB '*@*@*'
  OR text GLOB '[^0-9A-Za-z_' || char(160) || '-' || char(1114111) || ']*'
  OR text GLOB '*[] ,;:<>()["\|/%!`' || char(1) || '-' || char(31) || char(127) || '-' || char(160) || char(8232, 8233) || ']*';

UPDATE account SET email = NULL WHERE id IN (SELECT record FROM single_line WHERE field = 'email');
UPDATE identity SET email = NULL WHERE id IN (SELECT record FROM single_line WHERE field = 'identity');

-- Clients that synchronize read the changed records again.
INSERT INTO change (at, kind, user_id, record_id)
SELECT unixepoch() * 1000000, 'users', id, external_id
FROM account
WHERE id IN (SELECT record FROM single_line WHERE field IN ('name', 'email'))
ORDER BY id;

INSERT INTO change (at, kind, user_id, record_id)
SELECT unixepoch() * 1000000, 'habits', user_id, external_id
FROM habit
WHERE id IN (SELECT record FROM single_line WHERE field IN ('title', 'reason', 'unit'))
ORDER BY id;

INSERT INTO change (at, kind, user_id, record_id)
SELECT unixepoch() * 1000000, 'items', user_id, external_id
FROM item
WHERE id IN (SELECT record FROM single_line WHERE field = 'item')
ORDER BY id;

DROP TABLE single_line;
