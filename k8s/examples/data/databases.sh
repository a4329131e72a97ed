#!/usr/bin/env bash
# Makes the databases that the Secret names: each file is called like the database and its role, and holds the password. `x.writer` is
# a role x_writer without a database of its own: what it may do in that of x, its owner says.
# It goes on looking, so a region that is added has its database once its password is there.
set -euo pipefail
role() { # NAME FILE
  psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set name="$1" --set file="$2" <<'SQL'
\set password `cat :file`
SET log_statement = 'none';
SET log_min_error_statement = 'panic';
SELECT format('CREATE ROLE %I', :'name') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
ALTER ROLE :"name" LOGIN PASSWORD :'password';
SQL
}
database() { # NAME
  psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set name="$1" <<'SQL'
SELECT format('CREATE DATABASE %I OWNER %I', :'name', :'name')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') \gexec
REVOKE CONNECT ON DATABASE :"name" FROM PUBLIC;
SQL
}
make() { # FILE
  local name
  name=$(basename "$1")
  case $name in
    *.writer) role "${name%.writer}_writer" "$1" ;;
    *) role "$name" "$1" && database "$name" ;;
  esac
}
trap 'exit 0' TERM
declare -A made
while true; do
  for file in /etc/databases/*; do
    sum=$(sha256sum <"$file")
    [ "${made[$file]:-}" = "$sum" ] && continue
    if make "$file"; then
      made[$file]=$sum
      echo "$(basename "$file") is there"
    fi
  done
  sleep 2 &
  wait $!
done
