-- A photo has up to 1,000,000 bytes: the settings `item-photo-limit` and `post-photo-limit` decide.
ALTER TABLE photo DROP CONSTRAINT photo_bytes_check;
ALTER TABLE photo ADD CONSTRAINT photo_bytes_check CHECK (length(bytes) BETWEEN 1 AND 1000000);
