-- Names, titles, reasons, units and labels have one line. A space replaces each control character and each line break: U+0001 to
-- U+001F, U+007F to U+009F, U+2028 and U+2029. Case folding does not change these characters. A title or a name of an item that is
-- then blank becomes 'untitled', and another blank text becomes null. A text that is not one email address is removed, because mail
-- programs take such a text for an option, a command, a file or several addresses.
CREATE FUNCTION has_lines(text text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT text ~ '[\u0001-\u001F\u007F-\u009F\u2028\u2029]'
$$;

CREATE FUNCTION single_line(text text, blank text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
      WHEN line ~ '^[\u0020\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]*$' THEN blank
      ELSE line
    END
  FROM (SELECT regexp_replace(text, '\r\n|[\u0001-\u001F\u007F-\u009F\u2028\u2029]', ' ', 'g')) AS cleaned (line)
$$;

CREATE FUNCTION is_address(text text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT text ~ '^[0-9A-Za-z_\u00A1-\U0010FFFF][^@]*@[^@]+$'
    AND text !~ '[] ,;:<>()["\\|/%!`\u0001-\u001F\u007F-\u00A0\u2028\u2029]'
$$;

-- Clients that synchronize read the changed records again.
INSERT INTO change (at, kind, user_id, record_id)
SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint), 'users', id, external_id
FROM account
WHERE has_lines(name) OR NOT is_address(email)
ORDER BY id;

INSERT INTO change (at, kind, user_id, record_id)
SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint), 'habits', user_id, external_id
FROM habit
WHERE has_lines(title) OR has_lines(reason) OR has_lines(unit)
ORDER BY id;

INSERT INTO change (at, kind, user_id, record_id)
SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint), 'items', user_id, external_id
FROM item
WHERE has_lines(name)
ORDER BY id;

UPDATE account SET name = single_line(name, NULL) WHERE has_lines(name);
UPDATE account SET email = NULL WHERE NOT is_address(email);
UPDATE identity SET email = NULL WHERE NOT is_address(email);
UPDATE habit
SET title = single_line(title, 'untitled'), title_folded = single_line(title_folded, 'untitled')
WHERE has_lines(title);
UPDATE habit SET reason = single_line(reason, NULL) WHERE has_lines(reason);
UPDATE habit SET unit = single_line(unit, NULL) WHERE has_lines(unit);
UPDATE item SET name = single_line(name, 'untitled') WHERE has_lines(name);
UPDATE token SET label = single_line(label, NULL) WHERE has_lines(label);

DROP FUNCTION has_lines(text), single_line(text, text), is_address(text);
