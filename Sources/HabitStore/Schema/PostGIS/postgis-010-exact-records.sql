-- The ID of a claim or a follow contains %25 for a percent sign and %2F for a slash in its first part. Clients that synchronize read
-- the claims and follows with earlier IDs again.
UPDATE change
SET record_id = NULL
WHERE kind IN ('claims', 'follows') AND (record_id LIKE '%/%/%' OR record_id LIKE '%!%%' ESCAPE '!');

-- An event on a date that never existed in the time zone of its user is unplanned. These are the dates of all zones.
INSERT INTO change (at, kind, user_id, record_id, day)
SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint), 'events', event.user_id, event.external_id, event.day
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
CREATE FUNCTION is_address(text text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT octet_length(text) <= 254
    AND text ~ '^[0-9A-Za-z_\u00A1-\U0010FFFF][0-9A-Za-z\u00A1-\U0010FFFF.#$&''*+=?^_{}~-]*@[0-9A-Za-z\u00A1-\U0010FFFF]([0-9A-Za-z\u00A1-\U0010FFFF-]*[0-9A-Za-z\u00A1-\U0010FFFF])?([.][0-9A-Za-z\u00A1-\U0010FFFF]([0-9A-Za-z\u00A1-\U0010FFFF-]*[0-9A-Za-z\u00A1-\U0010FFFF])?)*$'
    AND text !~ '[\u1680\u2000-\u206F\u3000-\u3003\uFE50-\uFE6F\uFEFF\uFF00-\uFF0F\uFF1A-\uFF20\uFF61]'
$$;

INSERT INTO change (at, kind, user_id, record_id)
SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint), 'users', id, external_id
FROM account
WHERE NOT is_address(email)
ORDER BY id;

UPDATE account SET email = NULL WHERE NOT is_address(email);
UPDATE identity SET email = NULL WHERE NOT is_address(email);

DROP FUNCTION is_address(text);

-- The longitudes 180 and -180 are the same meridian, which is in the first column of the map. A cluster has no counts.
DO $$
BEGIN
  IF to_regclass('event_map') IS NOT NULL THEN
    PERFORM add_to_event_map(array_agg(user_id), array_agg(map_cell(ST_X(geometry), ST_Y(geometry))), -1)
    FROM event
    WHERE ST_X(geometry) = 180;
  END IF;
END
$$;

-- Returns the tile of zoom 16 that contains a position. The longitudes 180 and -180 are in the first column.
CREATE OR REPLACE FUNCTION map_cell(longitude double precision, latitude double precision) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  -- PostgreSQL raises an error if a product is too small for a double.
  degrees double precision := CASE WHEN abs(latitude) < 1e-300 THEN 0 ELSE least(greatest(latitude, -89), 89) END;
  sine double precision := sin(degrees * 0.017453292519943295);
  x bigint := floor(CASE longitude WHEN 180 THEN 0 ELSE least(greatest((longitude + 180) / 360 * 65536, 0), 65535) END);
  y bigint := floor(least(greatest((0.5 - ln((1 + sine) / (1 - sine)) / 12.566370614359172) * 65536, 0), 65535));
BEGIN
  x := (x | (x << 8)) & 16711935;
  x := (x | (x << 4)) & 252645135;
  x := (x | (x << 2)) & 858993459;
  x := (x | (x << 1)) & 1431655765;
  y := (y | (y << 8)) & 16711935;
  y := (y | (y << 4)) & 252645135;
  y := (y | (y << 2)) & 858993459;
  y := (y | (y << 1)) & 1431655765;
  RETURN 4294967296 | x | (y << 1);
END
$$;

DO $$
BEGIN
  IF to_regclass('event_map') IS NOT NULL THEN
    PERFORM add_to_event_map(array_agg(user_id), array_agg(map_cell(ST_X(geometry), ST_Y(geometry))), 1)
    FROM event
    WHERE ST_X(geometry) = 180;
  END IF;
END
$$;
