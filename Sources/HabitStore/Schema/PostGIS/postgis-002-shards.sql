-- Events and posts may lie on several servers, the shards, each of which has some of their partitions.
--
-- Every transaction that writes takes the number `change` one further, here and on each shard, before anything else. A shard
-- undoes its last change where it is set back, so that one which was not stored everywhere is stored nowhere; and who reads
-- the same number everywhere sees one state.

-- This database, and no copy of it elsewhere: the server, by what initdb gave it, and the database there.
CREATE FUNCTION habitat_functions.store_place() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT format('%s/%s', (SELECT system_identifier FROM pg_control_system()), pg_database.oid)
  FROM pg_database
  WHERE datname = current_database()
$$;

-- A row for each shard, which lies there. `store` is the place of the store that it belongs to.
CREATE TABLE shard (
  number INTEGER NOT NULL,
  store TEXT COLLATE "C" NOT NULL,
  change BIGINT NOT NULL,
  is_loading BOOLEAN NOT NULL,
  is_used BOOLEAN NOT NULL
) PARTITION BY LIST (number);

-- What each shard says of its tables: bytes with all indexes.
CREATE TABLE shard_table (
  shard INTEGER NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  bytes BIGINT NOT NULL
) PARTITION BY LIST (shard);

-- Before the first change of a transaction: what was answered before may not be true any more.
CREATE OR REPLACE FUNCTION habitat_functions.note_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  next_change bigint;
  reached bigint;
BEGIN
  UPDATE habitat.store
  SET change = change + 1, changed_by = pg_current_xact_id()
  WHERE changed_by IS DISTINCT FROM pg_current_xact_id()
  RETURNING change INTO next_change;
  IF next_change IS NULL THEN
    RETURN NULL;
  END IF;
  UPDATE habitat.shard SET change = next_change WHERE change = next_change - 1;
  GET DIAGNOSTICS reached = ROW_COUNT;
  IF reached <> (SELECT count(*) FROM pg_inherits WHERE inhparent = 'habitat.shard'::regclass) THEN
    RAISE EXCEPTION 'a shard is not in the state of change %', next_change - 1 USING ERRCODE = 'HB001';
  END IF;
  RETURN NULL;
END
$$;

DO $$
DECLARE
  kind text;
BEGIN
  FOREACH kind IN ARRAY ARRAY[
    'account', 'follow', 'habit', 'habit_schedule', 'photo', 'event', 'item', 'claim', 'message', 'post', 'setting',
    'identity', 'token']
  LOOP
    EXECUTE format('DROP TRIGGER IF EXISTS %s_change ON %I', kind, kind);
    EXECUTE format(
      'CREATE TRIGGER %s_change BEFORE INSERT OR UPDATE OR DELETE ON %I EXECUTE FUNCTION habitat_functions.note_change()',
      kind, kind);
  END LOOP;
END
$$;
