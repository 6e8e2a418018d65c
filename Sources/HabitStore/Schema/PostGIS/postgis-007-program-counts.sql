-- The program increments `store.change` in each transaction that changes rows, because a table that Citus distributes cannot have
-- triggers. Earlier steps created triggers that did this, and tables of an earlier kind of cluster.
DROP FUNCTION habitat_functions.note_change() CASCADE;
DROP TABLE IF EXISTS shard, shard_table;
DROP FUNCTION IF EXISTS habitat_functions.store_place();

-- `is_distributed` is true if Citus distributes the tables of users' records over several servers.
ALTER TABLE store DROP COLUMN changed_by, ADD COLUMN is_distributed BOOLEAN NOT NULL DEFAULT false;
