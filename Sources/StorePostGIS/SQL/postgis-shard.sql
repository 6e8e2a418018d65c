-- What lies on a shard beside its partitions: see postgis-002-shards.sql.

CREATE SCHEMA habitat;

-- One row. `change` may go back to `previous`, where that is known; `is_used` once the store looks for its rows here.
CREATE TABLE habitat.shard (
  number INTEGER NOT NULL,
  store TEXT COLLATE "C" NOT NULL,
  change BIGINT NOT NULL,
  previous BIGINT,
  is_loading BOOLEAN NOT NULL DEFAULT false,
  is_used BOOLEAN NOT NULL DEFAULT false
);

-- The tables here, with what undoes the last change: keys rise, so that whatever has one behind `last_id` was written by it.
CREATE TABLE habitat.part (
  name TEXT COLLATE "C" PRIMARY KEY,
  last_id BIGINT NOT NULL DEFAULT 0,
  indexes_later TEXT[] NOT NULL DEFAULT '{}'
);

-- The rows as they were that the last change changed or deleted.
CREATE TABLE habitat.old_row (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  part TEXT COLLATE "C" NOT NULL,
  key BIGINT NOT NULL,
  contents TEXT NOT NULL
);

CREATE VIEW habitat.shard_table AS
SELECT shard.number AS shard, part.name, pg_total_relation_size('habitat.' || quote_ident(part.name)) AS bytes
FROM habitat.part
CROSS JOIN habitat.shard;

CREATE FUNCTION habitat.keep_old_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO habitat.old_row (part, key, contents) SELECT TG_TABLE_NAME, id, old_rows::text FROM old_rows;
  RETURN NULL;
END
$$;

-- What is done with a table that has its rows and indexes.
CREATE FUNCTION habitat.add_part(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO habitat.part VALUES (name);
  EXECUTE format(
    'CREATE TRIGGER %1$s_updated AFTER UPDATE ON habitat.%1$I
     REFERENCING OLD TABLE AS old_rows EXECUTE FUNCTION habitat.keep_old_rows();
     CREATE TRIGGER %1$s_deleted AFTER DELETE ON habitat.%1$I
     REFERENCING OLD TABLE AS old_rows EXECUTE FUNCTION habitat.keep_old_rows();
     ANALYZE habitat.%1$I',
    name);
END
$$;

-- Forward to the next change, or back from the last one.
CREATE FUNCTION habitat.move_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  table_name text;
BEGIN
  IF NEW.change > OLD.change THEN
    NEW.previous := OLD.change;
  ELSIF NEW.change = OLD.previous THEN
    NEW.previous := NULL;
  ELSE
    RAISE EXCEPTION 'change % cannot be set back to %', OLD.change, NEW.change USING ERRCODE = 'HB001';
  END IF;
  FOR table_name IN SELECT part.name FROM habitat.part LOOP
    IF NEW.change > OLD.change THEN
      EXECUTE format(
        'UPDATE habitat.part SET last_id = (SELECT coalesce(max(id), 0) FROM habitat.%1$I) WHERE name = %1$L',
        table_name);
    ELSE
      EXECUTE format(
        'DELETE FROM habitat.%1$I
         WHERE id > (SELECT last_id FROM habitat.part WHERE name = %1$L)
           OR id IN (SELECT key FROM habitat.old_row WHERE part = %1$L)',
        table_name);
      -- The first of a row's old contents is what it was before.
      EXECUTE format(
        'INSERT INTO habitat.%1$I
         SELECT ((first.contents::habitat.%1$I)).*
         FROM (SELECT DISTINCT ON (key) * FROM habitat.old_row WHERE part = %1$L ORDER BY key, id) AS first
         JOIN habitat.part ON part.name = first.part
         WHERE first.key <= part.last_id',
        table_name);
    END IF;
  END LOOP;
  DELETE FROM habitat.old_row;
  RETURN NEW;
END
$$;

CREATE TRIGGER shard_change BEFORE UPDATE OF change ON habitat.shard
FOR EACH ROW WHEN (NEW.change <> OLD.change) EXECUTE FUNCTION habitat.move_change();

-- Takes the indexes away from the tables that are empty, and makes them again behind many rows.
CREATE FUNCTION habitat.move_indexes() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
  table_name text;
  is_filled boolean;
  index record;
  command text;
BEGIN
  FOR table_name IN SELECT part.name FROM habitat.part LOOP
    IF NEW.is_loading THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM habitat.%I)', table_name) INTO is_filled;
      CONTINUE WHEN is_filled;
      FOR index IN
        SELECT indexrelid::regclass AS place, pg_get_indexdef(indexrelid) AS definition
        FROM pg_index
        WHERE indrelid = ('habitat.' || quote_ident(table_name))::regclass AND NOT indisprimary
      LOOP
        EXECUTE format('DROP INDEX %s', index.place);
        UPDATE habitat.part SET indexes_later = indexes_later || index.definition WHERE name = table_name;
      END LOOP;
    ELSE
      FOR command IN SELECT unnest(indexes_later) FROM habitat.part WHERE name = table_name LOOP
        EXECUTE command;
      END LOOP;
      UPDATE habitat.part SET indexes_later = '{}' WHERE name = table_name;
      EXECUTE format('ANALYZE habitat.%I', table_name);
    END IF;
  END LOOP;
  RETURN NEW;
END
$$;

CREATE TRIGGER shard_is_loading BEFORE UPDATE OF is_loading ON habitat.shard
FOR EACH ROW WHEN (NEW.is_loading <> OLD.is_loading) EXECUTE FUNCTION habitat.move_indexes();
