-- The places at which others see no positions of a user's events and posts, as one text: see PrivatePlaces in the program. `is_private` of
-- events and posts is 1 if the position of the record is in the hidden area of these places. The program writes it with the position and
-- with the places.
ALTER TABLE account ADD COLUMN private_places TEXT COLLATE "C";

-- The counts of a user's events for maps contain private positions under the negative key of the user. `events` for the key 0 include them,
-- because only the operator reads these counts. A cluster has no counts.
DO $step$
BEGIN
  IF to_regclass('event_map') IS NULL THEN
    RETURN;
  END IF;

  EXECUTE $function$
    CREATE OR REPLACE FUNCTION expected_event_map() RETURNS TABLE (user_id bigint, cell bigint, events bigint)
    LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
      SELECT owner.number, place.cell >> level.shift, CAST(sum(place.events) AS bigint)
      FROM (
        SELECT
          CASE event.is_private WHEN 1 THEN -event.user_id ELSE event.user_id END AS user_id,
          map_cell(ST_X(event.geometry), ST_Y(event.geometry)) AS cell,
          count(*) AS events
        FROM event
        WHERE event.geometry IS NOT NULL
        GROUP BY 1, 2
      ) AS place
      CROSS JOIN LATERAL (VALUES (place.user_id), (0)) AS owner (number)
      CROSS JOIN (VALUES (0), (8), (16), (24), (32)) AS level (shift)
      GROUP BY 1, 2
    $$
  $function$;

  EXECUTE $function$
    CREATE OR REPLACE FUNCTION count_events() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      IF TG_OP = 'INSERT' AND current_setting('habitat.counts_new_events', true) = 'no' THEN
        RETURN NULL;
      END IF;
      IF TG_OP <> 'INSERT' THEN
        PERFORM add_to_event_map(
          array_agg(CASE is_private WHEN 1 THEN -user_id ELSE user_id END),
          array_agg(map_cell(ST_X(geometry), ST_Y(geometry))),
          -1)
        FROM old_event
        WHERE geometry IS NOT NULL;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        PERFORM add_to_event_map(
          array_agg(CASE is_private WHEN 1 THEN -user_id ELSE user_id END),
          array_agg(map_cell(ST_X(geometry), ST_Y(geometry))),
          1)
        FROM new_event
        WHERE geometry IS NOT NULL;
      END IF;
      RETURN NULL;
    END
    $$
  $function$;

  EXECUTE $function$
    CREATE OR REPLACE FUNCTION count_events_after(last_id bigint) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
      SELECT add_to_event_map(
        array_agg(CASE is_private WHEN 1 THEN -user_id ELSE user_id END),
        array_agg(map_cell(ST_X(geometry), ST_Y(geometry))),
        1)
      FROM event
      WHERE id > last_id AND geometry IS NOT NULL
    $$
  $function$;
END
$step$;
