#!/bin/sh
# Installs what is missing, builds everything, and runs all tests: the normal build, then the one with sanitizers.
# With --web also the playground, built and tested. Ends with "N passed, N failed".
cd "$(dirname "$0")" || exit 1

# What the tests are built with cannot be installed: one failure, told as all are.
give_up() {
  echo "$1 failed: see above"
  echo "0 passed, 1 failed"
  exit 1
}
scripts/install_packages.sh || give_up scripts/install_packages.sh

passed=0
failed=0
run() {  # folder, cmake options
  folder=$1
  shift
  cmake -S . -B "$folder" -G Ninja "$@" && cmake --build "$folder" 2>&1 | tee "$folder/build.log"
  if ! cmake --build "$folder" >/dev/null 2>&1; then
    failed=$((failed + 1))
    return
  fi
  # A compiler warning is a failure.
  if grep -q 'warning:' "$folder/build.log"; then
    echo "compiler warnings in $folder/build.log"
    failed=$((failed + 1))
  fi
  # ctest runs executables; what counts are the test cases in them.
  ctest --test-dir "$folder" --output-on-failure -j2 --output-log "$folder/ctest.log"
  good=$(sed -n 's/^.*% tests passed, \([0-9]*\) tests* failed out of \([0-9]*\).*/\1 \2/p' "$folder/ctest.log" | tail -n 1)
  bad=${good%% *}
  all=${good##* }
  [ -n "$bad" ] || { bad=1; all=1; }
  passed=$((passed + all - bad))
  failed=$((failed + bad))
}

# The playground counts as one. What is not reached there (its compiler, its editor, its browsers) is no failure of ours, and is told.
web() {
  if ! { web/build.sh --fetch && web/test.sh --fetch; }; then
    echo "the playground is not tested: what it is built with is not reached"
    return
  fi
  if web/build.sh && web/test.sh; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# Python's package is built and tested in the normal build.
scripts/python_environment.sh build/venv || give_up scripts/python_environment.sh
run build -DMOSIM_PYTHON=ON -DPython_EXECUTABLE="$PWD/build/venv/bin/python"
run build-sanitize -DMOSIM_SANITIZE=ON
if [ "$1" = --web ]; then web; fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
