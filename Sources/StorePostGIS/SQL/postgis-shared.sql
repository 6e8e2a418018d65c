-- What a store's own server does for tables that lie on shards, to which no reference leads.

-- A trigger that counts events cannot read the rows of foreign tables.
DROP FUNCTION habitat.count_events() CASCADE;
DROP TABLE habitat.event_map;

CREATE FUNCTION habitat_functions.forget_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM habitat.event WHERE user_id = OLD.id;
  DELETE FROM habitat.post WHERE user_id = OLD.id;
  RETURN NULL;
END
$$;

CREATE FUNCTION habitat_functions.forget_habit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM habitat.event WHERE user_id = OLD.user_id AND habit_id = OLD.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER account_records AFTER DELETE ON habitat.account
FOR EACH ROW EXECUTE FUNCTION habitat_functions.forget_user();

CREATE TRIGGER habit_records AFTER DELETE ON habitat.habit
FOR EACH ROW EXECUTE FUNCTION habitat_functions.forget_habit();
