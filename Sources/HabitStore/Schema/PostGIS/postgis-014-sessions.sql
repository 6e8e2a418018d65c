-- The purpose of a secret. A client sends the secret of 'bearer' or 'sign-in' in the header Authorization. A browser sends the secret of
-- 'session' as a cookie. The secret of 'calendar' is a part of the address of a calendar. The secret of 'link' is a part of a link that opens
-- one session.
ALTER TABLE token ADD COLUMN kind TEXT COLLATE "C" NOT NULL DEFAULT 'bearer';

UPDATE token
SET kind = CASE
    WHEN is_calendar = 1 THEN 'calendar'
    WHEN is_session = 1 THEN 'sign-in'
    ELSE 'bearer'
  END;

ALTER TABLE token DROP COLUMN is_calendar;
ALTER TABLE token DROP COLUMN is_session;
ALTER TABLE token ADD CONSTRAINT token_kind_check CHECK (
  kind IN ('bearer', 'sign-in', 'session', 'calendar', 'link') AND (kind NOT IN ('calendar', 'link') OR user_id IS NOT NULL)
);

-- The token that has opened a session. The session ends with it.
ALTER TABLE token ADD COLUMN source_id BIGINT;
ALTER TABLE token ADD CONSTRAINT token_source_check CHECK (source_id IS NULL OR kind = 'session');
ALTER TABLE token ADD CONSTRAINT token_source_fkey FOREIGN KEY (source_id) REFERENCES token (id) ON DELETE CASCADE;

CREATE INDEX token_source ON token (source_id);

-- The digest of the token of the server's operator token file that has opened a session, which is valid only for a server with this token.
ALTER TABLE token ADD COLUMN operator_sha256 BYTEA;
ALTER TABLE token ADD CONSTRAINT token_operator_check CHECK (
  operator_sha256 IS NULL OR (length(operator_sha256) = 32 AND kind = 'session' AND user_id IS NULL)
);
