#!/bin/sh
# Serves the playground that web/build.sh has made: http://localhost:8000, or another port.
cd "$(dirname "$0")/../build/web/site" && exec python3 -m http.server "${1:-8000}"
