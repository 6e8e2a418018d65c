-- title: Items near a position
-- description: Give-away items within a distance of a position, nearest first. Distances are WGS 84 geodesics. The
--   maximum distance is included. Items without a position are excluded.
-- group: items
-- parameter: near position required - Center of the search, or 'last' for the position of your newest located event.
-- parameter: within distance default 5km - Maximum distance from the center.
-- parameter: state available|claimed|given|withdrawn|expired default available - State of the items.
-- column: id text - ID of the item.
-- column: user text - ID of the user who posted the item.
-- column: name text - Name of the item.
-- column: description text - Description by the poster.
-- column: state text - State of the item.
-- column: posted_at instant - Local time of the post with its UTC offset.
-- column: expires date - Last day of the offer; empty if it has no end.
-- column: has_photo boolean - Whether the record has a photo.
-- column: longitude number degrees - Longitude of the item (WGS 84, east positive).
-- column: latitude number degrees - Latitude of the item (WGS 84, north positive).
-- column: distance_m number m - Distance from the center.
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html ics parquet
-- table: id user name state distance_m description
-- chart: map circle near within
-- example: --near 38.7223,-9.1393 --within 2km
SELECT items.id, items.user, items.name, items.description, items.state, items.posted_at, items.expires, items.has_photo,
  items.longitude, items.latitude, near.distance_m
FROM items_near(:near_longitude, :near_latitude, :within) AS near
JOIN items ON items.id = near.id
WHERE items.state = :state
ORDER BY near.distance_m, items.id
