#!/usr/bin/env python3
"""What large models cost, and how that grows: models of the public library ScalableTestSuite at three sizes each.

A line for each run: processor time of the whole process, what of it was compiling and running by mosim's own report, and memory. Below
each model the exponents of its growth: time ~ size^p from the smallest to the largest size. A size is the product of what
the model's name counts.
"""

import argparse
import math
import os
import re
import signal
import sys
import tempfile
import threading

# Name, model of the library (with modifications: to the stop time 1), three sizes.
ROWS = [
    ("ManyEvents", "Elementary.WhenEvents.Models.ManyEvents(N={0}, M={0})", (500, 1000, 2000)),
    ("CascadedFirstOrder", "Elementary.SimpleODE.Models.CascadedFirstOrder(N={0})", (1600, 3200, 6400)),
    ("Table", "Elementary.ParameterArrays.ScaledExperiments.Table_N_{0}_M_{0}", (70, 140, 280)),
    ("DistributionSystemModelica", "Electrical.DistributionSystemDC.ScaledExperiments.DistributionSystemModelicaIndividual_N_{0}_M_{0}", (10, 20, 40)),
    ("DistributionSystemLinear", "Electrical.DistributionSystemAC.ScaledExperiments.DistributionSystemLinear_N_{0}_M_{0}", (14, 20, 28)),
    ("TransmissionLine", "Electrical.TransmissionLine.ScaledExperiments.TransmissionLineModelica_N_{0}", (80, 160, 320)),
    ("FlexibleBeam", "Mechanical.FlexibleBeam.ScaledExperiments.FlexibleBeamModelica_N_{0}", (4, 8, 16)),
    ("HarmonicOscillator", "Mechanical.HarmonicOscillator.ScaledExperiments.HarmonicOscillatorNetwork_N_{0}", (80, 160, 320)),
    ("BreakerNetwork", "Electrical.BreakerCircuits.ScaledExperiments.BreakerNetwork_N_{0}_M_10", (80, 160, 320)),
]
REPORTED = re.compile(r"time\s+[\d.]+ ms read, ([\d.]+) ms compiled, ([\d.]+) ms run")


def run(command, limit):
    """Exit status, processor time, memory in MB and what was written."""
    with tempfile.TemporaryFile() as out:
        process = os.posix_spawnp(command[0], command, os.environ,
                                  file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, out.fileno(), 2)])
        timer = threading.Timer(limit, os.kill, (process, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(process, 0)
        timer.cancel()
        out.seek(0)
        return status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read().decode(errors="replace")


def exponent(sizes, values):
    if len(sizes) < 2 or min(values) <= 0:
        return "-"
    return f"{math.log(values[-1] / values[0]) / math.log(sizes[-1] / sizes[0]):.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", help="the folder ScalableTestSuite of a checkout of casella/ScalableTestSuite")
    parser.add_argument("modelica", help="the folder Modelica of the Modelica Standard Library")
    parser.add_argument("rows", nargs="*", help="only these rows")
    parser.add_argument("--mosim", default=os.path.join(os.path.dirname(__file__), "..", "build", "mosim"))
    parser.add_argument("--limit", type=float, default=120, help="seconds for one run")
    options = parser.parse_args()
    print(f"{'model':28}{'size':>8}{'CPU s':>9}{'compiled s':>12}{'run s':>9}{'MB':>7}")
    failed = False
    for name, model, sizes in ROWS:
        if options.rows and name not in options.rows:
            continue
        done = []
        for size in sizes:
            full = "ScalableTestSuite." + model.format(size)
            with tempfile.TemporaryDirectory() as folder:
                command = [options.mosim, "-L", options.modelica, "-L", options.library, "-o", os.path.join(folder, "Scaled.csv")]
                if "(" in full:
                    path = os.path.join(folder, "Scaled.mo")
                    with open(path, "w") as file:
                        file.write(f"model Scaled = {full};\n")
                    command += [path, "-m", "Scaled", "--stop", "1"]
                else:
                    command += ["-m", full]
                status, seconds, megabytes, said = run(command, options.limit)
            count = size ** model.count("{0}")
            times = REPORTED.search(said)
            if status != 0 or not times:
                print(f"{name:28}{count:>8}  {'no end within the limit' if os.WIFSIGNALED(status) else said.strip().splitlines()[0]}")
                failed = True
                break
            compiled, ran = (float(t) / 1000 for t in times.groups())
            print(f"{name:28}{count:>8}{seconds:>9.2f}{compiled:>12.2f}{ran:>9.2f}{megabytes:>7.0f}", flush=True)
            done.append((count, seconds, compiled, ran, megabytes))
        if len(done) > 1:
            columns = list(zip(*done))
            growth = [exponent(columns[0], c) for c in columns[1:]]
            print(f"{'':28}{'growth':>8}{growth[0]:>9}{growth[1]:>12}{growth[2]:>9}{growth[3]:>7}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
