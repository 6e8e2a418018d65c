-- The SQL functions that queries and reports call, with the answers that every engine gives. Made anew with each new version
-- of the program, so that what they are is said here alone. They are in a schema without tables: SQL from outside finds them.

-- Days since 1970-01-01; null for what is no date of the years 1 to 9999.
CREATE OR REPLACE FUNCTION habitat_functions.day_number(day text) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN day !~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' OR substr(day, 1, 4) = '0000' THEN NULL
    WHEN substr(day, 9, 2)::integer > CASE substr(day, 6, 2)
        WHEN '02' THEN
          CASE
            WHEN substr(day, 1, 4)::integer % 4 = 0
              AND (substr(day, 1, 4)::integer % 100 <> 0 OR substr(day, 1, 4)::integer % 400 = 0) THEN 29
            ELSE 28
          END
        WHEN '04' THEN 30
        WHEN '06' THEN 30
        WHEN '09' THEN 30
        WHEN '11' THEN 30
        ELSE 31
      END THEN NULL
    ELSE make_date(substr(day, 1, 4)::integer, substr(day, 6, 2)::integer, substr(day, 9, 2)::integer)
      - make_date(1970, 1, 1)
  END
$$;

-- The reverse; null outside the years 1 to 9999.
CREATE OR REPLACE FUNCTION habitat_functions.day_text(number bigint) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN number BETWEEN -719162 AND 2932896 THEN to_char(make_date(1970, 1, 1) + number::integer, 'YYYY-MM-DD')
  END
$$;

-- 1 for Monday to 7 for Sunday.
CREATE OR REPLACE FUNCTION habitat_functions.weekday(day text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ((habitat_functions.day_number(day) + 3)::bigint % 7 + 7) % 7 + 1
$$;

-- The Monday of the day's week.
CREATE OR REPLACE FUNCTION habitat_functions.week_start(day text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT habitat_functions.day_text(habitat_functions.day_number(day) - habitat_functions.weekday(day) + 1)
$$;

CREATE OR REPLACE FUNCTION habitat_functions.day_add(day text, days bigint) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN days BETWEEN -10000000 AND 10000000 THEN habitat_functions.day_text(habitat_functions.day_number(day) + days)
  END
$$;

-- The days from the second to the first.
CREATE OR REPLACE FUNCTION habitat_functions.day_diff(first text, second text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (habitat_functions.day_number(first) - habitat_functions.day_number(second))::bigint
$$;

-- Microseconds since 1970 UTC of an instant in RFC 3339, and of its own clock where `at_offset` is true; null for anything else.
CREATE OR REPLACE FUNCTION habitat_functions.instant_number(instant text, at_offset boolean) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  part text[] := regexp_match(
    instant,
    '^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]|60)(?:[.]([0-9]+))?(?:[Zz]|([+-])([01][0-9]|2[0-3]):?([0-5][0-9]))$');
  number bigint := habitat_functions.day_number(part[1]);
BEGIN
  IF number IS NULL THEN
    RETURN NULL;
  END IF;
  number := ((number * 24 + part[2]::bigint) * 60 + part[3]::bigint) * 60 + part[4]::bigint;
  IF part[6] IS NOT NULL AND NOT at_offset THEN
    number := number - (part[6] || '1')::bigint * (part[7]::bigint * 60 + part[8]::bigint) * 60;
  END IF;
  RETURN number * 1000000 + substr(rpad(coalesce(part[5], ''), 6, '0'), 1, 6)::bigint;
END
$$;

CREATE OR REPLACE FUNCTION habitat_functions.microseconds(instant text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN instant ~ '^[0-9]{10}$' THEN instant::bigint * 1000000
    WHEN instant ~ '^[0-9]{13}$' THEN instant::bigint * 1000
    ELSE habitat_functions.instant_number(instant, false)
  END
$$;

-- The hour, 0 to 23, on the clock of whoever wrote the instant.
CREATE OR REPLACE FUNCTION habitat_functions.local_hour(instant text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (
      CASE
        WHEN instant ~ '^[0-9]{10}([0-9]{3})?$' THEN habitat_functions.microseconds(instant)
        ELSE habitat_functions.instant_number(instant, true)
      END % 86400000000 + 86400000000
    ) % 86400000000 / 3600000000
$$;

-- RFC 3339 with as many decimals of a second as are needed (0, 3 or 6), on a clock so many minutes ahead of UTC (null: UTC).
-- Null where that clock is outside the years 1 to 9999.
CREATE OR REPLACE FUNCTION habitat_functions.rfc3339(instant bigint, ahead integer) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  number bigint;
  of_day bigint;
  fraction bigint;
BEGIN
  IF instant IS NULL OR instant NOT BETWEEN -63000000000000000 AND 254000000000000000 THEN
    RETURN NULL;
  END IF;
  number := instant + coalesce(ahead, 0) * 60000000::bigint;
  of_day := (number % 86400000000 + 86400000000) % 86400000000;
  fraction := of_day % 1000000;
  RETURN habitat_functions.day_text((number - of_day) / 86400000000)
    || to_char(make_interval(secs => (of_day / 1000000)::double precision), '"T"HH24:MI:SS')
    || CASE
      WHEN fraction = 0 THEN ''
      WHEN fraction % 1000 = 0 THEN '.' || lpad((fraction / 1000)::text, 3, '0')
      ELSE '.' || lpad(fraction::text, 6, '0')
    END
    || CASE
      WHEN ahead IS NULL THEN 'Z'
      ELSE CASE WHEN ahead < 0 THEN '-' ELSE '+' END
        || lpad((abs(ahead) / 60)::text, 2, '0') || ':' || lpad((abs(ahead) % 60)::text, 2, '0')
    END;
END
$$;
