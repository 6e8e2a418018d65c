-- title: Posts
-- description: Photo posts, newest first. Days are local dates at the position of the post.
-- group: items
-- parameter: from date optional - First day of the posts.
-- parameter: to date optional - Last day of the posts.
-- parameter: user user optional - User whose posts are selected.
-- column: id text - ID of the post.
-- column: user text - ID of the owner.
-- column: caption text - Caption of the post.
-- column: posted_at instant - Local time of the post with its UTC offset; empty if unknown.
-- column: has_photo boolean - Whether the record has a photo.
-- column: longitude number degrees - Longitude of the post (WGS 84, east positive); empty if unknown.
-- column: latitude number degrees - Latitude of the post (WGS 84, north positive); empty if unknown.
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html ics parquet
-- table: id user posted_at caption
-- chart: map
-- example: --from today-14
SELECT posts.id, posts.user, posts.caption, posts.posted_at, posts.has_photo, posts.longitude, posts.latitude
FROM posts
JOIN local_times('posts') AS local ON local.id = posts.id
WHERE (:from IS NULL OR local.day >= :from)
  AND (:to IS NULL OR local.day <= :to)
  AND (:user IS NULL OR posts.user = :user)
ORDER BY microseconds(posts.posted_at) DESC NULLS LAST, posts.id DESC
