-- SQL functions for queries and reports, with the same results as the functions of the SQLite engine. They are created
-- again by each migration, so that this file is their only definition. A change of this file needs a step in `SchemaStep`. Their schema contains no
-- tables, because user-supplied SQL can use it.

-- Returns the days since 1970-01-01, or NULL if the text is not a date in the years 1 to 9999.
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

-- Returns the date for a number of days since 1970-01-01, or NULL outside the years 1 to 9999.
CREATE OR REPLACE FUNCTION habitat_functions.day_text(number bigint) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN number BETWEEN -719162 AND 2932896 THEN to_char(make_date(1970, 1, 1) + number::integer, 'YYYY-MM-DD')
  END
$$;

-- Returns 1 for Monday to 7 for Sunday.
CREATE OR REPLACE FUNCTION habitat_functions.weekday(day text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ((habitat_functions.day_number(day) + 3)::bigint % 7 + 7) % 7 + 1
$$;

-- Returns the Monday of the ISO week of a day.
CREATE OR REPLACE FUNCTION habitat_functions.week_start(day text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT habitat_functions.day_text(habitat_functions.day_number(day) - habitat_functions.weekday(day) + 1)
$$;

-- Returns the year and the month of a day, such as 2026-11.
CREATE OR REPLACE FUNCTION habitat_functions.month(day text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT substr(habitat_functions.day_text(habitat_functions.day_number(day)), 1, 7)
$$;

CREATE OR REPLACE FUNCTION habitat_functions.year(day text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT substr(habitat_functions.day_text(habitat_functions.day_number(day)), 1, 4)::bigint
$$;

-- Returns the ISO 8601 week of a day, such as 2026-W47.
CREATE OR REPLACE FUNCTION habitat_functions.iso_week(day text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT to_char(make_date(1970, 1, 1) + habitat_functions.day_number(day), 'IYYY-"W"IW')
$$;

CREATE OR REPLACE FUNCTION habitat_functions.day_add(day text, days bigint) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN days BETWEEN -10000000 AND 10000000 THEN habitat_functions.day_text(habitat_functions.day_number(day) + days)
  END
$$;

-- Returns the number of days from the second date to the first.
CREATE OR REPLACE FUNCTION habitat_functions.day_diff(first text, second text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (habitat_functions.day_number(first) - habitat_functions.day_number(second))::bigint
$$;

-- Returns the microseconds since 1970-01-01 UTC of an RFC 3339 instant, or NULL for any other text. If `at_offset` is
-- true, the result is the local time at the offset of the instant instead of UTC.
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

-- Returns the hour, 0 to 23, of the local time at the UTC offset of the instant.
CREATE OR REPLACE FUNCTION habitat_functions.local_hour(instant text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (
      CASE
        WHEN instant ~ '^[0-9]{10}([0-9]{3})?$' THEN habitat_functions.microseconds(instant)
        ELSE habitat_functions.instant_number(instant, true)
      END % 86400000000 + 86400000000
    ) % 86400000000 / 3600000000
$$;

-- Returns an instant in RFC 3339 with 0, 3 or 6 decimals of a second as needed. `ahead` is the UTC offset in minutes;
-- NULL selects UTC. Returns NULL if the local time is outside the years 1 to 9999.
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

-- Returns the geodesic distance of two positions in meters, or NULL if a coordinate is out of range. The program replaces
-- the schema `postgis` with the schema of the extension.
CREATE OR REPLACE FUNCTION habitat_functions.distance(
  from_longitude double precision, from_latitude double precision, to_longitude double precision,
  to_latitude double precision
) RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN from_longitude BETWEEN -180 AND 180 AND from_latitude BETWEEN -90 AND 90 AND to_longitude BETWEEN -180 AND 180
      AND to_latitude BETWEEN -90 AND 90
    THEN postgis.ST_DistanceSpheroid(
      postgis.ST_SetSRID(postgis.ST_MakePoint(from_longitude, from_latitude), 4326),
      postgis.ST_SetSRID(postgis.ST_MakePoint(to_longitude, to_latitude), 4326))
  END
$$;

-- Returns the items of a JSON array, or one JSON null for any other value.
CREATE OR REPLACE FUNCTION habitat_functions.json_items(value jsonb) RETURNS SETOF jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT item
  FROM jsonb_array_elements(CASE WHEN jsonb_typeof(value) = 'array' THEN value ELSE '[null]' END) AS item
$$;

-- Returns the positions of a ring in WKT, or NULL if one of them is not a pair of numbers in range.
CREATE OR REPLACE FUNCTION habitat_functions.ring_text(ring jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN bool_and(position_text IS NOT NULL) THEN string_agg(position_text, ',' ORDER BY number) END
  FROM (
    SELECT
      number,
      CASE
        WHEN jsonb_typeof(x) = 'number' AND jsonb_typeof(y) = 'number' THEN
          CASE
            WHEN x::double precision BETWEEN -180 AND 180 AND y::double precision BETWEEN -90 AND 90
            THEN x::double precision || ' ' || y::double precision
          END
      END AS position_text
    FROM (
      SELECT number, pair -> 0 AS x, pair -> 1 AS y
      FROM jsonb_array_elements(ring) WITH ORDINALITY AS positions (pair, number)
      OFFSET 0
    ) AS pairs
  ) AS texts
$$;

-- Returns the polygons of GeoJSON. `Area` in the program has the same conditions and errors.
CREATE OR REPLACE FUNCTION habitat_functions.area_geometry(area text) RETURNS postgis.geometry
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  document jsonb;
  polygon jsonb;
  ring jsonb;
  ring_text text;
  rings text[];
  polygons text[] := '{}';
  positions integer := 0;
BEGIN
  IF octet_length(area) > 16777216 THEN
    RAISE EXCEPTION 'the area has more than 200,000 positions or 16 MiB: simplify it' USING ERRCODE = '22023';
  END IF;
  document := area::jsonb;
  FOR polygon IN
    SELECT coordinates
    FROM habitat_functions.json_items(
        CASE document ->> 'type'
          WHEN 'FeatureCollection' THEN document -> 'features'
          ELSE jsonb_build_array(document)
        END) AS feature,
      jsonb_build_array(CASE feature ->> 'type' WHEN 'Feature' THEN feature -> 'geometry' ELSE feature END) AS geometry,
      habitat_functions.json_items(
        CASE geometry -> 0 ->> 'type' WHEN 'GeometryCollection' THEN geometry -> 0 -> 'geometries' ELSE geometry END)
        AS part,
      habitat_functions.json_items(
        CASE part ->> 'type'
          WHEN 'Polygon' THEN jsonb_build_array(part -> 'coordinates')
          WHEN 'MultiPolygon' THEN part -> 'coordinates'
        END) AS coordinates
  LOOP
    IF jsonb_typeof(polygon) <> 'array' OR jsonb_array_length(polygon) = 0 THEN
      RAISE EXCEPTION 'the area is not a GeoJSON polygon: use a Polygon, MultiPolygon, GeometryCollection, Feature or FeatureCollection that contains only polygons'
        USING ERRCODE = '22023';
    END IF;
    rings := '{}';
    FOR ring IN SELECT item FROM jsonb_array_elements(polygon) AS item LOOP
      IF jsonb_typeof(ring) <> 'array' THEN
        RAISE EXCEPTION 'the area is not a GeoJSON polygon: use a Polygon, MultiPolygon, GeometryCollection, Feature or FeatureCollection that contains only polygons'
          USING ERRCODE = '22023';
      END IF;
      positions := positions + jsonb_array_length(ring);
      IF positions > 200000 THEN
        RAISE EXCEPTION 'the area has more than 200,000 positions or 16 MiB: simplify it' USING ERRCODE = '22023';
      END IF;
      ring_text := habitat_functions.ring_text(ring);
      IF ring_text IS NULL AND jsonb_array_length(ring) > 0 THEN
        RAISE EXCEPTION 'a position of the area is invalid: write longitude (-180 to 180) and latitude (-90 to 90) in degrees'
          USING ERRCODE = '22023';
      END IF;
      IF jsonb_array_length(ring) < 4
        OR (ring -> 0 -> 0)::double precision <> (ring -> -1 -> 0)::double precision
        OR (ring -> 0 -> 1)::double precision <> (ring -> -1 -> 1)::double precision
      THEN
        RAISE EXCEPTION 'a ring of the area is open or has less than four positions: end each ring with its first position'
          USING ERRCODE = '22023';
      END IF;
      rings := array_append(rings, '(' || ring_text || ')');
    END LOOP;
    polygons := array_append(polygons, '(' || array_to_string(rings, ',') || ')');
  END LOOP;
  IF polygons = '{}' THEN
    RAISE EXCEPTION 'the area is not a GeoJSON polygon: use a Polygon, MultiPolygon, GeometryCollection, Feature or FeatureCollection that contains only polygons'
      USING ERRCODE = '22023';
  END IF;
  RETURN postgis.ST_GeomFromText('MULTIPOLYGON(' || array_to_string(polygons, ',') || ')', 4326);
END
$$;

-- Returns a coordinate as a multiple of 2^-110. The result is exact unless the coordinate is closer to zero than 2^-57.
CREATE OR REPLACE FUNCTION habitat_functions.exact_coordinate(degrees double precision) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  high double precision := trunc(degrees * 1048576);
  middle double precision := trunc((degrees * 1048576 - high) * 35184372088832);
  low double precision := trunc(((degrees * 1048576 - high) * 35184372088832 - middle) * 35184372088832);
BEGIN
  -- The parts are integers, and a conversion of a bigint to numeric does not round.
  RETURN high::bigint::numeric * 1237940039285380274899124224 + middle::bigint::numeric * 35184372088832
    + low::bigint::numeric;
END
$$;

-- Returns 2 if a point is inside an area of polygons, 1 on its border and 0 outside. The predicates of PostGIS round; this
-- function is exact, like `Area` in the program. Cost: proportional to the number of positions of the area.
CREATE OR REPLACE FUNCTION habitat_functions.exact_side(point postgis.geometry, area postgis.geometry) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  WITH vertex AS (
    SELECT
      (dumped).path[1] AS polygon, (dumped).path[2] AS ring, (dumped).path[3] AS number,
      postgis.ST_X((dumped).geom) AS x, postgis.ST_Y((dumped).geom) AS y
    FROM (SELECT postgis.ST_DumpPoints(area) AS dumped) AS points
  ), edge AS (
    SELECT polygon, ring, x AS x1, y AS y1, lead(x) OVER in_ring AS x2, lead(y) OVER in_ring AS y2
    FROM vertex
    WINDOW in_ring AS (PARTITION BY polygon, ring ORDER BY number)
  ), turned AS (
    SELECT
      polygon, ring, x1, y1, x2, y2,
      sign(
        (habitat_functions.exact_coordinate(x2) - habitat_functions.exact_coordinate(x1))
          * (habitat_functions.exact_coordinate(postgis.ST_Y(point)) - habitat_functions.exact_coordinate(y1))
        - (habitat_functions.exact_coordinate(y2) - habitat_functions.exact_coordinate(y1))
          * (habitat_functions.exact_coordinate(postgis.ST_X(point)) - habitat_functions.exact_coordinate(x1))
      ) AS turn
    FROM edge
    WHERE x2 IS NOT NULL AND postgis.ST_Y(point) BETWEEN least(y1, y2) AND greatest(y1, y2)
      AND (x1 <> x2 OR y1 <> y2)
  ), ring_side AS (
    SELECT
      polygon, ring,
      CASE
        WHEN bool_or(turn = 0 AND postgis.ST_X(point) BETWEEN least(x1, x2) AND greatest(x1, x2)) THEN 1
        WHEN sum(
          CASE
            WHEN y1 <= postgis.ST_Y(point) AND postgis.ST_Y(point) < y2 AND turn > 0 THEN 1
            WHEN y2 <= postgis.ST_Y(point) AND postgis.ST_Y(point) < y1 AND turn < 0 THEN -1
            ELSE 0
          END) <> 0 THEN 2
        ELSE 0
      END AS side
    FROM turned
    GROUP BY polygon, ring
  ), polygon_side AS (
    SELECT
      polygon,
      CASE
        WHEN max(side) FILTER (WHERE ring = 1) = 2
        THEN 2 - coalesce((array_agg(side ORDER BY ring) FILTER (WHERE ring > 1 AND side > 0))[1], 0)
        ELSE max(side) FILTER (WHERE ring = 1)
      END AS side
    FROM ring_side
    GROUP BY polygon
  )
  SELECT coalesce((SELECT side FROM polygon_side WHERE side > 0 ORDER BY polygon LIMIT 1), 0)
$$;

-- Returns 1 if a position is in an area of GeoJSON or on its border, otherwise 0. The longitudes 180 and -180 are the
-- same meridian. The function is not strict, so that the planner inserts it into the query and evaluates a constant area
-- once.
CREATE OR REPLACE FUNCTION habitat_functions.in_area(longitude double precision, latitude double precision, area text)
RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN longitude BETWEEN -180 AND 180 AND latitude BETWEEN -90 AND 90 AND area IS NOT NULL THEN
      CASE
        WHEN abs(longitude) = 180
        THEN least(
          greatest(
            habitat_functions.exact_side(
              postgis.ST_SetSRID(postgis.ST_MakePoint(180, latitude), 4326), habitat_functions.area_geometry(area)),
            habitat_functions.exact_side(
              postgis.ST_SetSRID(postgis.ST_MakePoint(-180, latitude), 4326), habitat_functions.area_geometry(area))),
          1)::bigint
        WHEN postgis.ST_Intersects(
          postgis.ST_MakeEnvelope(longitude - 1e-9, latitude - 1e-9, longitude + 1e-9, latitude + 1e-9, 4326),
          postgis.ST_Boundary(habitat_functions.area_geometry(area)))
        THEN least(
          habitat_functions.exact_side(
            postgis.ST_SetSRID(postgis.ST_MakePoint(longitude, latitude), 4326), habitat_functions.area_geometry(area)),
          1)::bigint
        ELSE postgis.ST_Covers(
          habitat_functions.area_geometry(area), postgis.ST_SetSRID(postgis.ST_MakePoint(longitude, latitude), 4326)
        )::integer::bigint
      END
  END
$$;

-- Returns the value at a fraction of sorted values. The first element of `sample` is the fraction.
CREATE OR REPLACE FUNCTION habitat_functions.percentile_of(sample double precision[]) RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT percentile_cont(sample[1]) WITHIN GROUP (ORDER BY number) FROM unnest(sample[2:]) AS number
$$;

-- Appends a value to a sample.
CREATE OR REPLACE FUNCTION habitat_functions.percentile_step(
  sample double precision[], number double precision, fraction double precision
) RETURNS double precision[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF fraction IS NULL OR fraction NOT BETWEEN 0 AND 1 THEN
    RAISE EXCEPTION 'the second argument of percentile must be from 0 to 1' USING ERRCODE = '22023';
  END IF;
  IF number IS NULL THEN
    RETURN sample;
  END IF;
  IF sample IS NULL THEN
    RETURN ARRAY[fraction, number];
  END IF;
  sample := array_append(sample, number);
  RETURN sample;
END
$$;

CREATE OR REPLACE FUNCTION habitat_functions.median_step(sample double precision[], number double precision)
RETURNS double precision[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF number IS NULL THEN
    RETURN sample;
  END IF;
  IF sample IS NULL THEN
    RETURN ARRAY[0.5, number];
  END IF;
  sample := array_append(sample, number);
  RETURN sample;
END
$$;

CREATE OR REPLACE AGGREGATE habitat_functions.percentile(double precision, double precision) (
  sfunc = habitat_functions.percentile_step, stype = double precision[], finalfunc = habitat_functions.percentile_of
);

CREATE OR REPLACE AGGREGATE habitat_functions.median(double precision) (
  sfunc = habitat_functions.median_step, stype = double precision[], finalfunc = habitat_functions.percentile_of
);
