#!/bin/sh
# Makes a virtual environment over Debian's Python with what the extension module is built with and Debian does not have.
#   scripts/python_environment.sh FOLDER
set -e
"$1/bin/python" -c 'import nanobind, scikit_build_core' 2>/dev/null && exit 0
/usr/bin/python3 -m venv --system-site-packages "$1"
"$1/bin/python" -m pip install --quiet --disable-pip-version-check 'nanobind>=2' 'scikit-build-core>=0.10'
