-- The number of located events by user and by tile of a map in Web Mercator, from which maps of many events are drawn. The user
-- 0 stands for all users. `cell` is a tile at the zoom 0, 4, 8, 12 or 16: a bit 1, and then one bit of the row, counted from the
-- north, and one of the column, counted from the west, for each zoom. A position beyond 85.05 degrees north or south is in the
-- first or the last row. A cluster has no counts.
CREATE TABLE event_map (
  user_id BIGINT NOT NULL,
  cell BIGINT NOT NULL,
  events BIGINT NOT NULL,
  PRIMARY KEY (user_id, cell)
) WITH (fillfactor = 80);

-- Returns the tile of zoom 16 that contains a position.
CREATE FUNCTION map_cell(longitude double precision, latitude double precision) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  -- PostgreSQL raises an error if a product is too small for a double.
  degrees double precision := CASE WHEN abs(latitude) < 1e-300 THEN 0 ELSE least(greatest(latitude, -89), 89) END;
  sine double precision := sin(degrees * 0.017453292519943295);
  x bigint := floor(least(greatest((longitude + 180) / 360 * 65536, 0), 65535));
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

-- Returns the correct rows of the table.
CREATE FUNCTION expected_event_map() RETURNS TABLE (user_id bigint, cell bigint, events bigint)
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT owner.number, place.cell >> level.shift, CAST(sum(place.events) AS bigint)
  FROM (
    SELECT event.user_id, map_cell(ST_X(event.geometry), ST_Y(event.geometry)) AS cell, count(*) AS events
    FROM event
    WHERE event.geometry IS NOT NULL
    GROUP BY 1, 2
  ) AS place
  CROSS JOIN LATERAL (VALUES (place.user_id), (0)) AS owner (number)
  CROSS JOIN (VALUES (0), (8), (16), (24), (32)) AS level (shift)
  GROUP BY 1, 2
$$;

-- Replaces all rows of the table.
CREATE FUNCTION fill_event_map() RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  DELETE FROM event_map;
  INSERT INTO event_map (user_id, cell, events)
  SELECT user_id, cell, events
  FROM expected_event_map();
$$;

-- Adds `number` for each event to the counts, 1 or -1.
CREATE FUNCTION add_to_event_map(users bigint[], cells bigint[], number integer) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO event_map AS map (user_id, cell, events)
  SELECT owner.number, change.cell >> level.shift, count(*) * add_to_event_map.number
  FROM unnest(users, cells) AS change (user_id, cell)
  CROSS JOIN LATERAL (VALUES (change.user_id), (0)) AS owner (number)
  CROSS JOIN (VALUES (0), (8), (16), (24), (32)) AS level (shift)
  GROUP BY 1, 2
  ON CONFLICT (user_id, cell) DO UPDATE SET events = map.events + excluded.events;
  IF add_to_event_map.number < 0 THEN
    DELETE FROM event_map AS map
    USING (
      SELECT DISTINCT owner.number AS user_id, change.cell >> level.shift AS cell
      FROM unnest(users, cells) AS change (user_id, cell)
      CROSS JOIN LATERAL (VALUES (change.user_id), (0)) AS owner (number)
      CROSS JOIN (VALUES (0), (8), (16), (24), (32)) AS level (shift)
    ) AS changed
    WHERE map.user_id = changed.user_id AND map.cell = changed.cell AND map.events = 0;
  END IF;
END
$$;

-- Counts the events of a statement. A load counts its new events at its end.
CREATE FUNCTION count_events() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' AND current_setting('habitat.counts_new_events', true) = 'no' THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM add_to_event_map(
      array_agg(user_id), array_agg(map_cell(ST_X(geometry), ST_Y(geometry))), -1)
    FROM old_event
    WHERE geometry IS NOT NULL;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM add_to_event_map(
      array_agg(user_id), array_agg(map_cell(ST_X(geometry), ST_Y(geometry))), 1)
    FROM new_event
    WHERE geometry IS NOT NULL;
  END IF;
  RETURN NULL;
END
$$;

-- Counts the events with keys greater than `last_id`.
CREATE FUNCTION count_events_after(last_id bigint) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT add_to_event_map(array_agg(user_id), array_agg(map_cell(ST_X(geometry), ST_Y(geometry))), 1)
  FROM event
  WHERE id > last_id AND geometry IS NOT NULL
$$;

SELECT fill_event_map();

CREATE TRIGGER event_map_insert AFTER INSERT ON event REFERENCING NEW TABLE AS new_event
FOR EACH STATEMENT EXECUTE FUNCTION count_events();

CREATE TRIGGER event_map_delete AFTER DELETE ON event REFERENCING OLD TABLE AS old_event
FOR EACH STATEMENT EXECUTE FUNCTION count_events();

CREATE TRIGGER event_map_update AFTER UPDATE ON event REFERENCING OLD TABLE AS old_event NEW TABLE AS new_event
FOR EACH STATEMENT EXECUTE FUNCTION count_events();
