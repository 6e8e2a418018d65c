-- Views for programs that open the file, such as QGIS and ogr2ogr. They contain the IDs of users and habits, the titles of habits
-- and instants as RFC 3339 texts. Habitat does not read them. They call only functions of SQLite, so that every program can read
-- them. `fid` is the key of the row in the table that has the spatial index. A later step that removes or renames a column must
-- first drop the views and create them again at its end.
CREATE VIEW IF NOT EXISTS events AS
SELECT
  event.id AS fid,
  event.external_id AS id,
  account.external_id AS user,
  habit.external_id AS habit,
  habit.title AS title,
  event.day AS day,
  strftime(
      '%Y-%m-%dT%H:%M:%S',
      (event.occurred_at - (event.occurred_at % 1000000 + 1000000) % 1000000) / 1000000 + 60 * coalesce(event.utc_offset, 0),
      'unixepoch')
    || CASE
      WHEN event.occurred_at % 1000000 = 0 THEN ''
      WHEN event.occurred_at % 1000 = 0 THEN printf('.%03d', (event.occurred_at % 1000000 + 1000000) % 1000000 / 1000)
      ELSE printf('.%06d', (event.occurred_at % 1000000 + 1000000) % 1000000)
    END
    || CASE
      WHEN event.utc_offset IS NULL THEN 'Z'
      ELSE printf('%s%02d:%02d', CASE WHEN event.utc_offset < 0 THEN '-' ELSE '+' END, abs(event.utc_offset) / 60, abs(event.utc_offset) % 60)
    END AS at,
  event.comment AS comment,
  event.outcome AS outcome,
  event.photo_id IS NOT NULL AS has_photo,
  event.unplanned AS unplanned,
  event.amount AS amount,
  event.geometry AS geometry
FROM event
JOIN account ON account.id = event.user_id
JOIN habit ON habit.id = event.habit_id;

CREATE VIEW IF NOT EXISTS items AS
SELECT
  item.id AS fid,
  item.external_id AS id,
  account.external_id AS user,
  item.name AS name,
  item.description AS description,
  item.state AS state,
  claimant.external_id AS claimed_by,
  strftime(
      '%Y-%m-%dT%H:%M:%S',
      (item.posted_at - (item.posted_at % 1000000 + 1000000) % 1000000) / 1000000 + 60 * coalesce(item.posted_offset, 0),
      'unixepoch')
    || CASE
      WHEN item.posted_at % 1000000 = 0 THEN ''
      WHEN item.posted_at % 1000 = 0 THEN printf('.%03d', (item.posted_at % 1000000 + 1000000) % 1000000 / 1000)
      ELSE printf('.%06d', (item.posted_at % 1000000 + 1000000) % 1000000)
    END
    || CASE
      WHEN item.posted_offset IS NULL THEN 'Z'
      ELSE printf('%s%02d:%02d', CASE WHEN item.posted_offset < 0 THEN '-' ELSE '+' END, abs(item.posted_offset) / 60, abs(item.posted_offset) % 60)
    END AS posted_at,
  item.expires_day AS expires,
  item.photo_id IS NOT NULL AS has_photo,
  item.geometry AS geometry
FROM item
JOIN account ON account.id = item.user_id
LEFT JOIN claim ON claim.item_id = item.id AND claim.state IN ('claimed', 'given')
LEFT JOIN account AS claimant ON claimant.id = claim.user_id;

CREATE VIEW IF NOT EXISTS posts AS
SELECT
  post.id AS fid,
  post.external_id AS id,
  account.external_id AS user,
  post.caption AS caption,
  strftime(
      '%Y-%m-%dT%H:%M:%S',
      (post.posted_at - (post.posted_at % 1000000 + 1000000) % 1000000) / 1000000 + 60 * coalesce(post.posted_offset, 0),
      'unixepoch')
    || CASE
      WHEN post.posted_at % 1000000 = 0 THEN ''
      WHEN post.posted_at % 1000 = 0 THEN printf('.%03d', (post.posted_at % 1000000 + 1000000) % 1000000 / 1000)
      ELSE printf('.%06d', (post.posted_at % 1000000 + 1000000) % 1000000)
    END
    || CASE
      WHEN post.posted_offset IS NULL THEN 'Z'
      ELSE printf('%s%02d:%02d', CASE WHEN post.posted_offset < 0 THEN '-' ELSE '+' END, abs(post.posted_offset) / 60, abs(post.posted_offset) % 60)
    END AS posted_at,
  post.photo_id IS NOT NULL AS has_photo,
  post.geometry AS geometry
FROM post
JOIN account ON account.id = post.user_id
WHERE post.deleted_at IS NULL;

-- If another program has created a table or view of the same name, it is kept and not registered.
INSERT OR IGNORE INTO views_geometry_columns (
  view_name, view_geometry, view_rowid, f_table_name, f_geometry_column, read_only
)
SELECT name, 'geometry', 'fid', table_name, 'geometry', 1
FROM (
  SELECT 'events' AS name, 'event' AS table_name UNION ALL
  SELECT 'items', 'item' UNION ALL
  SELECT 'posts', 'post'
) AS layer
WHERE (
  SELECT count(*) FROM pragma_table_info(layer.name) AS info WHERE info.name IN ('fid', 'geometry')
) = 2;
