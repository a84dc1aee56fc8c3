#!/bin/sh
# Creates the files of docker/secrets that compose.yaml and Kubernetes read, and docker/.env: docker/secrets.sh
# What exists stays as it is. The certificates are for a trial: replace tls_certificate and tls_key by those of your host.
set -eu
cd "$(dirname "$0")"
[ -e .env ] || cp .env.example .env
# users in the containers read the files; the folder keeps users of this machine out
mkdir -p -m 700 secrets
cd secrets
umask 022
# create <file> <command>...
create() {
  file=$1
  shift
  [ -e "$file" ] || { "$@" >"$file.part" && mv "$file.part" "$file"; }
}

for name in postgres_password cursor_secret session_secret encryption_key seal_p12_passphrase; do
  create "$name" openssl rand -hex 32
done
create database_url echo "postgres://work_suite:$(cat postgres_password)@postgres:5432/work_suite"
create redis_url echo redis://redis:6379
# an empty file is a setting that is not set
for name in smtp_url ai_api_key metrics_token storage_access_key_id storage_secret_access_key; do
  create "$name" true
done
# of a run that was killed
rm -f seal.key.part seal.crt.part
if [ ! -e seal.p12 ]; then
  trap 'rm -f seal.key.part seal.crt.part seal.p12.part' EXIT
  trap 'exit 1' HUP INT TERM
  name=$(printf '%s' "${SEAL_NAME:-Document seal}" | sed 's,[/+\\],\\&,g')
  # the key is encrypted from the start
  openssl req -x509 -newkey rsa:3072 -passout file:seal_p12_passphrase -days 3650 -utf8 -subj "/CN=$name" \
    -addext keyUsage=critical,digitalSignature,nonRepudiation -keyout seal.key.part -out seal.crt.part
  # openssl would read the second line of the same file
  PASSPHRASE=$(cat seal_p12_passphrase) openssl pkcs12 -export -inkey seal.key.part -passin env:PASSPHRASE -in seal.crt.part \
    -passout file:seal_p12_passphrase -out seal.p12.part
  chmod 644 seal.p12.part
  mv seal.p12.part seal.p12
  rm seal.key.part seal.crt.part
fi
# a run was interrupted between the two
if [ -e tls_key ] && [ ! -e tls_certificate ] && [ -e tls_certificate.part ]; then mv tls_certificate.part tls_certificate; fi
if [ "$(ls tls_certificate tls_key 2>/dev/null | wc -l)" -eq 1 ]; then
  echo 'docker/secrets has one of tls_certificate and tls_key: add the other one, or remove both for a certificate for a trial.' >&2
  exit 1
fi
if [ ! -e tls_certificate ]; then
  openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout tls_key.part -out tls_certificate.part
  chmod 644 tls_key.part
  mv tls_key.part tls_key
  mv tls_certificate.part tls_certificate
fi
