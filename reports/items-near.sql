-- title: Items near a place
-- description: What is given away within a distance of a place, nearest first, measured along the WGS 84 geodesic; what lies
--   exactly at the distance is in. Items without a place are not. There is no row where 'state' is no state.
-- parameter: near position required - The center of the search, or 'last' for your newest located event.
-- parameter: within distance default 5km - How far to look.
-- parameter: state available|claimed|given|withdrawn|expired default available - Which items.
-- column: id text - The item's id.
-- column: user text - Who gives it away.
-- column: name text - What it is.
-- column: description text - What its poster wrote about it.
-- column: state text - As asked for.
-- column: posted_at instant - Since when it is offered, on its poster's clock.
-- column: expires date - The last day of the offer; empty where it has none.
-- column: has_photo boolean - Whether it has a photo.
-- column: longitude number degrees - Where it is, on WGS 84, east positive.
-- column: latitude number degrees - Where it is, on WGS 84, north positive.
-- column: distance_m number m - From the place asked for.
-- key: id
-- geometry: longitude latitude
-- formats: text csv json ndjson geojson geojsonseq html
-- table: id user name state distance_m description
-- chart: map circle near within
-- example: --near 38.7223,-9.1393 --within 2km
SELECT items.id, items.user, items.name, items.description, items.state, items.posted_at, items.expires, items.has_photo,
  items.longitude, items.latitude, near.distance_m
FROM items_near(:near_longitude, :near_latitude, :within) AS near
JOIN items ON items.id = near.id
WHERE items.state = :state
ORDER BY near.distance_m, items.id
