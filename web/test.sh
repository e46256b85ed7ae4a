#!/bin/sh
# Tests of the playground that web/build.sh has made: the engine beside the command (./build.sh), and the page in Chromium and Firefox.
# With --fetch it ends once the browsers are there.
set -e
cd "$(dirname "$0")/.."
missing=""
for p in firefox-esr chromium chromium-driver python3-selenium python3-venv; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
# shellcheck disable=SC2086
[ -z "$missing" ] || { apt-get update; DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; }
[ -x build/web/venv/bin/python ] || /usr/bin/python3 -m venv --system-site-packages build/web/venv
build/web/venv/bin/pip install -q marionette_driver==3.7.1
if [ "$1" = --fetch ]; then exit; fi
site=${1:-build/web/site} engine=${2:-build/web/engine}
node --no-experimental-fetch web/tests/engine.mjs "$engine" build/mosim .
build/web/venv/bin/python web/tests/playground.py "$site" chromium --command build/mosim
build/web/venv/bin/python web/tests/playground.py "$site" firefox --command build/mosim
