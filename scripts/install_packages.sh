#!/bin/sh
# Installs what mosim is built and tested with, from Debian's packages; does nothing where all of it is there.
# gnuplot is needed at run time, for plots in the terminal and in picture files; the browser, its driver, selenium,
# pugixml (which reads SVGs) and poppler (PDFs) only for tests. Of the packages for Python, python3-dev, python3-venv and python3-numpy are
# for the package mosim, the others for what its results become (pandas, xarray, matplotlib) and for its tests.
set -e
packages="g++ cmake ninja-build ccache tao-pegtl-dev libsundials-dev libsuitesparse-dev libmatio-dev liblapack3 libasmjit-dev libffi-dev libtcc-dev tcc
pkg-config musl-dev libfmt-dev libcli11-dev nlohmann-json3-dev libboost-dev libboost-test-dev libjs-dygraphs gnuplot-nox chromium chromium-driver
python3-selenium libpugixml-dev poppler-utils
python3-dev python3-venv python3-numpy python3-pandas python3-xarray python3-matplotlib python3-pytest python3-distributed python3-mpi4py openmpi-bin python3-nbclient python3-ipykernel"
missing=""
for p in $packages; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
export DEBIAN_FRONTEND=noninteractive
apt-get update
# shellcheck disable=SC2086
apt-get install -y --no-install-recommends $missing
