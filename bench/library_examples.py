#!/usr/bin/env python3
"""Simulates a library's examples and compares them with published reference results.

  bench/library_examples.py LIBRARY RESULTS [PATTERN...]  [--mosim FILE] [--jobs N] [--timeout S] [--output DIR] [--verify] [--solver NAME]

LIBRARY: the folder that holds the library's packages (Modelica/, ModelicaTest/). RESULTS: a folder that holds, in a
folder per model (Modelica/Blocks/Examples/PID_Controller/), comparisonSignals.txt and a CSV file; its creation.txt says
start, stop, interval and tolerance. PATTERN: of model names (Modelica.Blocks.*); all, if none is given.

A signal agrees if, at each instant of the reference, it takes a value within 0.2 % of the reference's range inside a
window of 0.4 % of the time around that instant. Rows stand as densely as the reference's (50000 at most), so that peaks
between rows are not missed; only the compared signals are written. Prints a line for each model that does not agree, with its reason, and
a table by package. A model whose CSV is missing is simulated all the same: it "runs", or is told of like the others.
"""

import argparse
import concurrent.futures
import csv
import fnmatch
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy

VALUE_PART = 0.002   # of the range
TIME_PART = 0.004    # of the duration: width of the window
MOST_ROWS = 50000


def settings(folder):
    text = open(os.path.join(folder, "creation.txt"), errors="replace").read()
    found = {}
    for name in ("StartTime", "StopTime", "Interval", "Tolerance"):
        match = re.search(rf"^{name}\s*=\s*([-+0-9.eE]+)", text, re.M)
        if match:
            found[name] = float(match[1])
    return found


def read_csv(path, wanted):
    with open(path, newline="", errors="replace") as file:
        reader = csv.reader(file)
        names = next(reader)
        columns = [k for k, name in enumerate(names) if name in wanted]
        rows = []
        for row in reader:
            if len(row) == len(names):
                rows.append([float(row[k]) for k in columns])
    values = numpy.array(rows) if rows else numpy.zeros((0, len(columns)))
    return {names[k]: values[:, i] for i, k in enumerate(columns)}


def plain(name):
    """Quoted identifiers and blanks do not matter."""
    return name.replace(" ", "")


def deviation(reference_time, reference, time_, values):
    """The largest distance from the window's values, as a part of the reference's range."""
    span = reference_time[-1] - reference_time[0]
    size = reference.max() - reference.min()
    scale = max(size, 1e-9 + 1e-3 * abs(reference).max())
    half = TIME_PART / 2 * span
    first = numpy.searchsorted(time_, reference_time - half, "left")
    last = numpy.searchsorted(time_, reference_time + half, "right")
    # The window's ends, by interpolation.
    low = numpy.minimum(numpy.interp(reference_time - half, time_, values), numpy.interp(reference_time + half, time_, values))
    high = numpy.maximum(numpy.interp(reference_time - half, time_, values), numpy.interp(reference_time + half, time_, values))
    for k in range(len(reference_time)):
        if last[k] > first[k]:
            part = values[first[k]:last[k]]
            low[k] = min(low[k], part.min())
            high[k] = max(high[k], part.max())
    outside = numpy.maximum(low - reference, reference - high)
    return max(0.0, float(outside.max())) / scale


def run_model(job):
    model, folder, options = job
    found = settings(folder)
    signals = [plain(s.strip()) for s in open(os.path.join(folder, "comparisonSignals.txt"), errors="replace") if s.strip()]
    reference_file = os.path.join(folder, model.split(".")[-1] + ".csv")
    has_reference = os.path.exists(reference_file)
    out = os.path.join(options.output, model + ".csv")
    command = [options.mosim, "-L", options.library, "-m", model, "-o", out]
    for option, name in (("--start", "StartTime"), ("--stop", "StopTime"), ("--tolerance", "Tolerance")):
        if name in found:
            command += [option, repr(found[name])]
    if "Interval" in found and found["Interval"] > 0:
        intervals = (found.get("StopTime", 1) - found.get("StartTime", 0)) / found["Interval"]
        command += ["--intervals", str(int(min(max(round(intervals), 500), MOST_ROWS)))]
    command += options.extra
    wanted = [signal for signal in signals if signal != "time"]
    while True:
        began = time.time()
        try:
            done = subprocess.run(command + (["--results", ",".join(wanted)] if wanted else []), capture_output=True,
                                  text=True, timeout=options.timeout, errors="replace",
                                  cwd=options.scratch)   # some examples write files
        except subprocess.TimeoutExpired:
            return model, "slow", f"over {options.timeout:g} s", options.timeout
        took = time.time() - began
        absent = re.search(r"--results: .* has no variable (.*?) to write", done.stderr) if done.returncode == 1 else None
        if not absent or absent[1] not in wanted:
            break
        wanted.remove(absent[1])
    if options.keep:
        with open(os.path.join(options.output, model + ".txt"), "w") as log:
            log.write(done.stdout + done.stderr)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()[-1:] or ["no message"]
        kind = "refused" if done.returncode == 2 else "fails" if done.returncode == 3 else f"status {done.returncode}"
        return model, kind, errors[0], took
    if not has_reference:
        return model, "runs", "", took
    reference = read_csv_plain(reference_file, set(signals))
    result = read_csv_plain(out, set(signals))
    if not options.keep:
        os.unlink(out)
    worst, which, missing = 0.0, "", []
    for signal in signals:
        if signal == "time" or signal not in reference:
            continue
        if signal not in result:
            missing.append(signal)
            continue
        d = deviation(reference["time"], reference[signal], result["time"], result[signal])
        if not d <= worst:
            worst, which = d, signal
    if worst > VALUE_PART:
        return model, "differs", f"{which}: {100 * worst:.3g} % of its range", took
    if missing:
        return model, "agrees", "not in the result: " + ", ".join(missing[:4]), took
    return model, "agrees", "", took


def read_csv_plain(path, wanted):
    with open(path, newline="", errors="replace") as file:
        names = next(csv.reader(file))
    originals = {name: plain(name) for name in names}
    values = read_csv(path, {n for n, p in originals.items() if p in wanted or p.lower() == "time"})
    return {"time" if originals[n].lower() == "time" else originals[n]: v for n, v in values.items()}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("library")
    parser.add_argument("results")
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--mosim", default=os.path.join(os.path.dirname(__file__), "..", "build", "mosim"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--output", default="")
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--solver", default="auto")
    options = parser.parse_args()
    options.keep = bool(options.output)
    options.extra = ["--solver", options.solver] + (["--verify"] if options.verify else [])
    scratch = tempfile.TemporaryDirectory()
    options.scratch = scratch.name
    for path in ("library", "results", "mosim"):
        setattr(options, path, os.path.abspath(getattr(options, path)))
    options.output = os.path.abspath(options.output) if options.output else scratch.name
    os.makedirs(options.output, exist_ok=True)
    jobs = []
    for folder, _, files in sorted(os.walk(options.results)):
        if "comparisonSignals.txt" not in files or "creation.txt" not in files:
            continue
        model = os.path.relpath(folder, options.results).replace(os.sep, ".")
        if not options.patterns or any(fnmatch.fnmatchcase(model, p) for p in options.patterns):
            jobs.append((model, folder, options))
    table = {}
    total = 0.0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for model, outcome, reason, took in pool.map(run_model, jobs):
            package = ".".join(model.split(".")[:2])
            total += took
            table.setdefault(package, {}).setdefault(outcome, []).append(model)
            if outcome != "agrees" or reason:
                print(f"{outcome:12} {model}  ({took:.1f} s)  {reason}", flush=True)
    kinds = ["agrees", "differs", "fails", "slow", "refused", "runs"]
    kinds += sorted({k for row in table.values() for k in row} - set(kinds))
    print("\n" + "package".ljust(34) + "".join(k.rjust(14) for k in kinds))
    for package, row in sorted(table.items()):
        print(package.ljust(34) + "".join(str(len(row.get(k, []))).rjust(14) for k in kinds))
    print("all".ljust(34) + "".join(str(sum(len(row.get(k, [])) for row in table.values())).rjust(14) for k in kinds))
    print(f"{total:.0f} s altogether")
    return 0


if __name__ == "__main__":
    sys.exit(main())
