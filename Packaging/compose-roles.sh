#!/bin/sh
# Runs once in the database container of compose.yaml: creates the role of the programs, which is not a superuser, the role that runs
# user-supplied SQL, and the database with its extensions.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$HABITAT_DB_PASSWORD" --username="$POSTGRES_USER" --dbname=postgres <<'END'
CREATE ROLE habitat LOGIN PASSWORD :'password';
CREATE ROLE habitat_analyst LOGIN PASSWORD :'password';
CREATE DATABASE habitat OWNER habitat;
REVOKE CREATE, TEMPORARY ON DATABASE habitat FROM PUBLIC;
\connect habitat
CREATE EXTENSION postgis;
CREATE EXTENSION pg_trgm;
END
