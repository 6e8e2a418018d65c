-- Distributes the tables of a store over the servers of a Citus cluster, inside the transaction of a writer. `%shards` is the number
-- of shards of each distributed table.
--
-- The rows of a user in `habit`, `habit_schedule`, `pause`, `event` and `post` are on the same server, so that joins by `user_id` run there.
-- Photos are distributed by their digest, by which a writer finds them. Each server has a copy of the other tables that have foreign keys. The remaining tables
-- stay on the coordinator.

-- A distributed table has no triggers.
DROP FUNCTION note_other_change() CASCADE;
DROP FUNCTION count_events() CASCADE;
DROP FUNCTION expected_event_map(), fill_event_map(), count_events_after(bigint);
DROP FUNCTION add_to_event_map(bigint[], bigint[], integer);
DROP TABLE event_map;

DO $$
DECLARE
  kind text;
  command text;
  later text[];
BEGIN
  SELECT array_agg(
    format('ALTER TABLE %I ADD CONSTRAINT %I %s', relname, conname, pg_get_constraintdef(pg_constraint.oid))
    ORDER BY relname, conname)
  INTO later
  FROM pg_constraint
  JOIN pg_class ON pg_class.oid = conrelid
  WHERE contype = 'f' AND connamespace = 'habitat'::regnamespace AND NOT relispartition
    AND confrelid <> 'photo'::regclass;
  FOR command IN
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
    FROM pg_constraint
    WHERE contype = 'f' AND connamespace = 'habitat'::regnamespace AND conparentid = 0
  LOOP
    EXECUTE command;
  END LOOP;

  -- The shards replace the partitions.
  FOREACH kind IN ARRAY ARRAY['event', 'post'] LOOP
    EXECUTE format('ALTER TABLE %1$I RENAME TO %1$s_partitions', kind);
    EXECUTE format(
      'CREATE TABLE %1$I (LIKE %1$s_partitions INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', kind);
    EXECUTE format('INSERT INTO %1$I SELECT * FROM %1$s_partitions', kind);
    FOR command IN
      SELECT replace(replace(indexdef, ' ON ONLY ', ' ON '), kind || '_partitions', kind)
      FROM pg_indexes
      WHERE schemaname = 'habitat' AND tablename = kind || '_partitions' AND indexname <> kind || '_pkey'
      ORDER BY indexname
    LOOP
      later := command || later;
    END LOOP;
    EXECUTE format('ALTER SEQUENCE %1$s_id OWNED BY %1$I.id', kind);
    EXECUTE format('DROP TABLE %s_partitions', kind);
    EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id, user_id)', kind);
  END LOOP;

  -- A unique index of a distributed table contains the column of the distribution.
  ALTER TABLE photo DROP CONSTRAINT photo_pkey, ADD PRIMARY KEY (id, sha256);

  FOREACH kind IN ARRAY ARRAY['account', 'follow', 'block', 'item', 'claim', 'message', 'read_marker', 'identity', 'token'] LOOP
    PERFORM create_reference_table(kind::regclass);
  END LOOP;
  PERFORM create_distributed_table('photo', 'sha256', colocate_with => 'none', shard_count => %shards);
  PERFORM create_distributed_table('habit', 'user_id', colocate_with => 'none', shard_count => %shards);
  FOREACH kind IN ARRAY ARRAY['habit_schedule', 'pause', 'event', 'post'] LOOP
    PERFORM create_distributed_table(kind::regclass, 'user_id', colocate_with => 'habitat.habit');
  END LOOP;

  -- Queries and indexes also call the functions on the workers.
  FOR command IN
    SELECT format('SELECT create_distributed_function(%L)', oid::regprocedure)
    FROM pg_proc
    WHERE pronamespace = 'habitat_functions'::regnamespace OR (pronamespace = 'habitat'::regnamespace AND proname = 'map_cell')
  LOOP
    EXECUTE command;
  END LOOP;
  FOREACH command IN ARRAY later LOOP
    EXECUTE command;
  END LOOP;
END
$$;

UPDATE store SET is_distributed = true;
