#!/bin/sh
# Puts the Modelica Standard Library of a folder (with Modelica, ModelicaServices and Complex.mo in it) beside the playground that web/build.sh has made:
#   web/library.sh FOLDER [FOLDER-OF-THE-SITE]
here=$(dirname "$0")
exec node "$here/library.mjs" "$1" "${2:-$here/../build/web/site}"
