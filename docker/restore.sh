#!/bin/sh
# Restores a dump into a database without tables: docker/restore.sh <file> <database url>
# The url is that of PostgreSQL, not of a pooler: pg_restore changes settings of its session, which the next client would get.
set -eu
file=${1:?"usage: docker/restore.sh <file> <database url>"}
url=${2:?"usage: docker/restore.sh <file> <database url>"}
tables=$(psql --no-psqlrc --tuples-only --no-align --command "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace" "$url")
if [ "$tables" != 0 ]; then
  echo "The database has $tables tables already: create a new one." >&2
  exit 1
fi
# all or nothing
pg_restore --exit-on-error --single-transaction --no-owner --no-privileges --dbname="$url" "$file"
echo "Restored. The suite holds back webhooks and mails on this database until: npm run outbound -- release"
