#!/bin/sh
# Makes the pictures of docs/ anew, with build/mosim.
set -e
cd "$(dirname "$0")/.."
mkdir -p docs/figures
draw() {  # picture, variables, model and options
  picture=$1
  variables=$2
  shift 2
  build/mosim "$@" --quiet --output "${TMPDIR:-/tmp}/figure.csv" --plot "$variables" --plot-to "docs/figures/$picture.svg" >/dev/null
}
behavior=models/DiscreteBehavior
draw bouncing_ball h $behavior/BouncingBall/BouncingBall.mo --stop 3
draw falling_ball h $behavior/BouncingBall/BouncingBall.mo --stop 5
draw stable_ball h,v,done $behavior/BouncingBall/StableBouncingBall.mo --stop 6
draw any_not_or vector_count,or_count $behavior/BouncingBall/AnyNotOr.mo
draw thermostat T,heat $behavior/Hysteresis/HysteresisControl.mo
draw readings x,held,quarters models/Lessons/Readings.mo
