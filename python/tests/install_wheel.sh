#!/bin/sh
# Makes the wheel, with the extension that is built already, and installs it into a fresh virtual environment: FOLDER/clean.
#   install_wheel.sh PYTHON FOLDER      PYTHON has nanobind and scikit-build-core; FOLDER holds the extension
set -e
python=$1
folder=$2
cd "$(dirname "$0")/../.."
rm -rf "$folder/clean" "$folder/wheel" "$folder/wheel-build"
"$python" -m pip wheel --quiet --no-build-isolation --no-deps --disable-pip-version-check --wheel-dir "$folder/wheel" \
  --config-settings=build-dir="$folder/wheel-build" --config-settings=cmake.define.MOSIM_EXTENSION="$folder" .
# What mosim and its tests need comes from the system's packages.
"$python" -m venv --system-site-packages "$folder/clean"
"$folder/clean/bin/python" -m pip install --quiet --no-index --disable-pip-version-check "$folder"/wheel/mosim-*.whl
