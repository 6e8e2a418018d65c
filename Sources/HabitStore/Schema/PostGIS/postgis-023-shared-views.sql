-- The secret of a token of the kind 'view' is a part of the addresses of a shared view. `definition` is the JSON text that selects its records.
ALTER TABLE token DROP CONSTRAINT token_kind_check;
ALTER TABLE token ADD CONSTRAINT token_kind_check CHECK (
  kind IN ('bearer', 'sign-in', 'session', 'calendar', 'link', 'view')
  AND (kind NOT IN ('calendar', 'link', 'view') OR user_id IS NOT NULL)
);

ALTER TABLE token ADD COLUMN definition TEXT COLLATE "C";
ALTER TABLE token ADD CONSTRAINT token_definition_check CHECK ((definition IS NOT NULL) = (kind = 'view'));
