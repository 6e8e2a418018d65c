-- Declares instants and references as BIGINT. GDAL, and therefore QGIS and GeoPandas, read a column of type INTEGER as 32 bits and
-- clamp larger values to 2147483647. The affinity of both types is the same, so the rows and indexes stay valid and only the text of
-- the schema changes. Keys stay INTEGER PRIMARY KEY: a BIGINT key is not an alias of the rowid.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema
SET sql = replace(replace(sql, '_at INTEGER', '_at BIGINT'), '_id INTEGER', '_id BIGINT')
WHERE type = 'table' AND name IN (
  'follow', 'habit', 'habit_schedule', 'event', 'event_cell', 'item', 'claim', 'message', 'post', 'identity', 'token'
);

PRAGMA writable_schema = RESET;
