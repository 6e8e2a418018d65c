-- A photo has up to 1,000,000 bytes: the settings `item-photo-limit` and `post-photo-limit` decide. The keys of photos are not used again, so
-- that the address of a photo, which depends on its key, does not stand for another photo later. The rows stay valid, so only the text of the
-- schema changes. The table of AUTOINCREMENT exists, because `change` needs it.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema
SET sql = replace(
  replace(sql, 'BETWEEN 1 AND 65535', 'BETWEEN 1 AND 1000000'),
  'id INTEGER PRIMARY KEY,', 'id INTEGER PRIMARY KEY AUTOINCREMENT,'
)
WHERE type = 'table' AND name = 'photo';

PRAGMA writable_schema = RESET;
