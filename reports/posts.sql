-- title: Posts
-- description: Photo posts, newest first. Days are those of the clock of where a post was made.
-- parameter: from date optional - Only posts of this day or later.
-- parameter: to date optional - Only posts of this day or earlier.
-- parameter: user user optional - Only this user's posts.
-- column: id text - The post's id.
-- column: user text - Whose it is.
-- column: caption text - What its owner wrote about it.
-- column: posted_at instant - When it was made, on the clock of where it was; empty where that is not known.
-- column: has_photo boolean - Whether it has a photo.
-- column: longitude number degrees - Where it was made, on WGS 84, east positive; empty where that is not known.
-- column: latitude number degrees - Where it was made, on WGS 84, north positive; empty where that is not known.
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html
-- table: id user posted_at caption
-- chart: map
-- example: --from today-14
SELECT posts.id, posts.user, posts.caption, posts.posted_at, posts.has_photo, posts.longitude, posts.latitude
FROM posts
WHERE (:from IS NULL OR substr(posts.posted_at, 1, 10) >= :from)
  AND (:to IS NULL OR substr(posts.posted_at, 1, 10) <= :to)
  AND (:user IS NULL OR posts.user = :user)
ORDER BY microseconds(posts.posted_at) DESC NULLS LAST, posts.id DESC
