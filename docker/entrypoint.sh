#!/bin/sh
# The entry point of the image: docker run <image> [command] [arguments]. Without a command it runs the suite.
set -eu
suite=$(dirname "$(dirname "$(readlink -f "$0")")")
command=${1:-start}
[ $# -eq 0 ] || shift
case $command in
  start)
    exec node --min-semi-space-size=4 --max-semi-space-size=8 --heap-growing-percent=60 --expose-gc "$suite/dist/src/main.js" "$@"
    ;;
  migrate | jobs | keys | org | person | audit | outbound | storage | secrets)
    exec node --max-semi-space-size=64 "$suite/dist/src/cli/main.js" "$command" "$@"
    ;;
  health)
    # live, or ready; the image has no curl
    exec node --eval "require('node:http').get('http://127.0.0.1:${PORT:-3000}/health/${1:-live}',
      ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"
    ;;
  *)
    echo "There is no command \"$command\". Commands: start, migrate, jobs, keys, org, person, audit, outbound, storage, secrets, health." >&2
    exit 2
    ;;
esac
