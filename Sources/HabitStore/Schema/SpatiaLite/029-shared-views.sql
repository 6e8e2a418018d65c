-- The secret of a token of the kind 'view' is a part of the addresses of a shared view. `definition` is the JSON text that selects its records.
-- The rows stay valid, so only the text of the schema changes.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema
SET sql = replace(
  replace(sql, '''calendar'', ''link'') AND', '''calendar'', ''link'', ''view'') AND'),
  '(''calendar'', ''link'') OR', '(''calendar'', ''link'', ''view'') OR'
)
WHERE type = 'table' AND name = 'token';

PRAGMA writable_schema = RESET;

ALTER TABLE token ADD COLUMN definition TEXT CHECK ((definition IS NOT NULL) = (kind = 'view'));
