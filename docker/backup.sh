#!/bin/sh
# Writes a dump of DATABASE_DIRECT_URL or DATABASE_URL into a folder, and prints its name: docker/backup.sh <folder>
# Files in the bucket of STORAGE_URL are not part of it: see "Files in a bucket" in docker/README.md.
set -eu
folder=${1:?"usage: docker/backup.sh <folder>"}
: "${DATABASE_URL:?"DATABASE_URL is not set"}"
# never through a pooler: pg_dump changes settings of its session, which the next client of the pooler would get
url=${DATABASE_DIRECT_URL:-$DATABASE_URL}
umask 077
mkdir -p "$folder"
file=$folder/work-suite-$(date -u +%Y%m%dT%H%M%SZ).dump
# an incomplete dump never has the name of a complete one
trap 'rm -f "$file.part"' EXIT
trap 'exit 1' HUP INT TERM
pg_dump --format=custom --no-owner --no-privileges --file="$file.part" "$url"
pg_restore --list "$file.part" >/dev/null
mv "$file.part" "$file"
echo "$file"
