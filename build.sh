#!/bin/sh
# Installs what is missing, builds build/mosim, and simulates the bouncing ball.
set -e
cd "$(dirname "$0")"
scripts/install_packages.sh
cmake -S . -B build -G Ninja
cmake --build build --target mosim
build/mosim models/DiscreteBehavior/BouncingBall/BouncingBall.mo --stop 10 -o build/BouncingBall_res.csv
