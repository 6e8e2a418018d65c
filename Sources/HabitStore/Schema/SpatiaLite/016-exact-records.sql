-- The ID of a claim or a follow contains %25 for a percent sign and %2F for a slash in its first part. Clients that synchronize read
-- the claims and follows with earlier IDs again.
UPDATE change
SET record_id = NULL
WHERE kind IN ('claims', 'follows') AND (record_id LIKE '%/%/%' OR record_id LIKE '%!%%' ESCAPE '!');

-- An event on a date that never existed in the time zone of its user is unplanned. These are the dates of all zones.
INSERT INTO change (at, kind, user_id, record_id, day)
SELECT unixepoch() * 1000000, 'events', event.user_id, event.external_id, event.day
FROM event
JOIN account ON account.id = event.user_id
WHERE event.unplanned = 0
  AND event.day IN ('1844-12-31', '1993-08-21', '1994-12-31', '2011-12-30')
  AND account.time_zone || ' ' || event.day IN (
    'Asia/Manila 1844-12-31', 'Pacific/Chuuk 1844-12-31', 'Pacific/Guam 1844-12-31', 'Pacific/Kosrae 1844-12-31',
    'Pacific/Palau 1844-12-31', 'Pacific/Pohnpei 1844-12-31', 'Pacific/Saipan 1844-12-31', 'Kwajalein 1993-08-21',
    'Pacific/Kwajalein 1993-08-21', 'Pacific/Enderbury 1994-12-31', 'Pacific/Kanton 1994-12-31',
    'Pacific/Kiritimati 1994-12-31', 'Pacific/Apia 2011-12-30', 'Pacific/Fakaofo 2011-12-30'
  )
ORDER BY event.id;

UPDATE event
SET unplanned = 1
WHERE unplanned = 0
  AND day IN ('1844-12-31', '1993-08-21', '1994-12-31', '2011-12-30')
  AND (SELECT account.time_zone || ' ' || event.day FROM account WHERE account.id = event.user_id) IN (
    'Asia/Manila 1844-12-31', 'Pacific/Chuuk 1844-12-31', 'Pacific/Guam 1844-12-31', 'Pacific/Kosrae 1844-12-31',
    'Pacific/Palau 1844-12-31', 'Pacific/Pohnpei 1844-12-31', 'Pacific/Saipan 1844-12-31', 'Kwajalein 1993-08-21',
    'Pacific/Kwajalein 1993-08-21', 'Pacific/Enderbury 1994-12-31', 'Pacific/Kanton 1994-12-31',
    'Pacific/Kiritimati 1994-12-31', 'Pacific/Apia 2011-12-30', 'Pacific/Fakaofo 2011-12-30'
  );

-- A text that is not one email address is removed. The local part consists of letters, digits and some symbols, the domain of labels
-- with inner hyphens. A character outside ASCII counts as a letter, except most spaces and some invisible characters, and the wide and small
-- forms of punctuation.
CREATE TEMP TABLE cleared_email (
  source TEXT NOT NULL,
  record INTEGER NOT NULL,
  PRIMARY KEY (source, record)
);

INSERT INTO cleared_email (source, record)
WITH
stored (source, record, text) AS (
  SELECT 'account', id, email FROM account WHERE email IS NOT NULL
  UNION ALL
  SELECT 'identity', id, email FROM identity WHERE email IS NOT NULL
),
letter (class) AS (
  VALUES ('0-9A-Za-z' || char(161) || '-' || char(1114111))
),
address (source, record, text, local, domain, class) AS (
  SELECT
    source,
    record,
    text,
    substr(text, 1, instr(text, '@') - 1),
    substr(text, instr(text, '@') + 1),
    class
  FROM stored
  JOIN letter
)
SELECT source, record
FROM address
WHERE length(CAST(text AS BLOB)) > 254
  OR local NOT GLOB '[_' || class || ']*'
  OR local GLOB '*[^' || class || '.#$&''*+=?^_{}~-]*'
  OR domain GLOB '*[^' || class || '.-]*'
  OR '.' || domain || '.' GLOB '*.[.-]*'
  OR '.' || domain || '.' GLOB '*-.*'
  OR text GLOB '*['
    || char(5760, 8192) || '-' || char(8303, 12288) || '-' || char(12291, 65104) || '-' || char(65135, 65279, 65280) || '-'
    || char(65295, 65306) || '-' || char(65312, 65377)
    || ']*';

UPDATE account SET email = NULL WHERE id IN (SELECT record FROM cleared_email WHERE source = 'account');
UPDATE identity SET email = NULL WHERE id IN (SELECT record FROM cleared_email WHERE source = 'identity');

INSERT INTO change (at, kind, user_id, record_id)
SELECT unixepoch() * 1000000, 'users', id, external_id
FROM account
WHERE id IN (SELECT record FROM cleared_email WHERE source = 'account')
ORDER BY id;

DROP TABLE cleared_email;

-- The longitudes 180 and -180 are the same meridian, which is in the first column of the map.
INSERT INTO event_map_change (user_id, geometry, events)
SELECT user_id, geometry, -1
FROM event
WHERE ST_X(geometry) = 180;

DROP TRIGGER event_map_change;

CREATE TRIGGER event_map_change INSTEAD OF INSERT ON event_map_change BEGIN
  INSERT INTO event_map (user_id, cell, events)
  SELECT owner.number, place.cell >> level.shift, max(new.events, 0)
  FROM (
    SELECT
      4294967296 | ((x | (x << 1)) & 1431655765) | (((y | (y << 1)) & 1431655765) << 1) AS cell
    FROM (
      SELECT (x | (x << 2)) & 858993459 AS x, (y | (y << 2)) & 858993459 AS y
      FROM (
        SELECT (x | (x << 4)) & 252645135 AS x, (y | (y << 4)) & 252645135 AS y
        FROM (
          SELECT (x | (x << 8)) & 16711935 AS x, (y | (y << 8)) & 16711935 AS y
          FROM (
            SELECT
              CAST(CASE longitude WHEN 180 THEN 0 ELSE min(max((longitude + 180) / 360 * 65536, 0), 65535) END AS INTEGER) AS x,
              CAST(min(max((0.5 - ln((1 + sine) / (1 - sine)) / 12.566370614359172) * 65536, 0), 65535) AS INTEGER) AS y
            FROM (
              SELECT
                ST_X(new.geometry) AS longitude,
                sin(min(max(ST_Y(new.geometry), -89.0), 89.0) * 0.017453292519943295) AS sine
              WHERE ST_X(new.geometry) IS NOT NULL
              LIMIT -1
            )
            LIMIT -1
          )
        )
      )
    )
  ) AS place,
    (SELECT new.user_id AS number UNION ALL SELECT 0) AS owner,
    (SELECT 0 AS shift UNION ALL VALUES (8), (16), (24), (32)) AS level
  WHERE TRUE
  ON CONFLICT (user_id, cell) DO UPDATE SET events = events + new.events;
END;

INSERT INTO event_map_change (user_id, geometry, events)
SELECT user_id, geometry, 1
FROM event
WHERE ST_X(geometry) = 180;
