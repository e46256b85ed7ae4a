#!/bin/sh
# Installs what is missing, compiles the engine to WebAssembly, and makes the playground: build/web/site for any host of static files, with
# build/web/site/mosim.html, which is all of it in one file. With --fetch it ends once all that comes from elsewhere is there.
set -e
cd "$(dirname "$0")/.."
only_fetch=$([ "$1" != --fetch ] || echo yes)
scripts/install_packages.sh
missing=""
for p in emscripten xz-utils $(command -v npm >/dev/null || echo nodejs npm); do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
# shellcheck disable=SC2086
[ -z "$missing" ] || { apt-get update; DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; }

top=$PWD
build=$top/build/web
mkdir -p "$build"

# The sources of SUNDIALS and SuiteSparse that Debian has.
if [ ! -d "$build/sundials" ] || [ ! -d "$build/suitesparse" ]; then
  apt=$build/apt
  mkdir -p "$apt/lists/partial" "$apt/parts"
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$list" ] && sed -n 's/^deb /deb-src /p' "$list" > "$apt/parts/$(basename "$list" .list).list"
  done
  for list in /etc/apt/sources.list.d/*.sources; do
    [ -f "$list" ] && sed 's/^Types:.*/Types: deb-src/' "$list" > "$apt/parts/$(basename "$list")"
  done
  set -- -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/parts" -o Dir::State::lists="$apt/lists" -o APT::Sandbox::User=root
  apt-get "$@" update
  (cd "$build" && apt-get "$@" source --download-only sundials suitesparse)
  for name in sundials suitesparse; do
    mkdir -p "$build/$name"
    tar -C "$build/$name" --strip-components=1 -xf "$build/$name"_*.orig.tar.*
  done
fi

# The editor and what bundles it, at the versions of package-lock.json.
mkdir -p "$build/npm"
cp web/package.json web/package-lock.json "$build/npm/"
(cd "$build/npm" && npm ci --no-audit --no-fund && node node_modules/esbuild/install.js)
if [ "$only_fetch" ]; then exit; fi

# emscripten looks for acorn among Debian's modules.
export NODE_PATH=/usr/share/nodejs
emcmake cmake -S web/solvers -B "$build/solvers" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="-fwasm-exceptions" -DCMAKE_C_FLAGS_RELEASE=-Os \
  -DSUNDIALS="$build/sundials" -DSUITESPARSE="$build/suitesparse" -DCMAKE_INSTALL_PREFIX="$build/prefix"
cmake --build "$build/solvers" --target install
emcmake cmake -S . -B "$build/engine" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSOLVERS="$build/prefix"
cmake --build "$build/engine"

cp web/bundle.mjs "$build/npm/"
MOSIM_WEB=$top/web NODE_PATH=$build/npm/node_modules node "$build/npm/bundle.mjs" "$build/engine" "$build/site"
echo "build/web/site: serve it with web/serve.sh, or open build/web/site/mosim.html"
