#!/usr/bin/env python3
"""What large models cost, how that grows, and what programs written by hand take for the same work, in one run.

Models of the public library ScalableTestSuite, of the standard library, and two of our own, most at three sizes. A line for each
run: processor time of the whole process, what of it was compiling and running by mosim's own report, memory, and, where there is
one, the time of the program written by hand (cascade.c, integrators.c, bouncing_ball.c) and the ratio. No rows are written but
by the bouncing balls, and where a line says how much: with the time from start to end, as a thread of its own writes them. Below each model the exponents of its growth: time ~ size^p from the smallest to the largest size. A size
is the product of what the model's name counts.
"""

import argparse
import csv
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from typing import Callable, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
REPORTED = re.compile(r"time\s+[\d.]+ ms read, ([\d.]+) ms compiled, ([\d.]+) ms run")
STATES = """model Scaled
  parameter Integer N = {0};
  Real x[N](each start = 1, each fixed = true);
equation
  for i in 1:N loop
    der(x[i]) = -i/N*x[i];
  end for;
end Scaled;
"""
# What a function, or an algorithm, gives element by element.
RECORDS = """record Pair Real a; Real b[2]; end Pair;
function filled
  input Integer n;
  output Pair y[n];
algorithm
  for i in 1:n loop
    y[i].a := i;
    y[i].b := {{2*i, 3*i}};
  end for;
end filled;
model Scaled
  parameter Integer N = {0};
  parameter Pair y[N] = filled(N);
end Scaled;
"""
CALLS = """function one input Real x[:]; input Integer i; output Real y; algorithm y := x[i]; end one;
function each_of input Real x[:]; output Real y[size(x, 1)]; algorithm for i in 1:size(x, 1) loop y[i] := one(x, i); end for; end each_of;
model Scaled
  parameter Integer N = {0};
  parameter Real x[N] = {{i for i in 1:N}};
  parameter Real y[N] = each_of(x);
end Scaled;
"""
ALGORITHM = """model Scaled
  parameter Integer N = {0};
  Real y[N];
algorithm
  for i in 1:N loop
    y[i] := i*time;
  end for;
end Scaled;
"""
DENSE = """model Scaled
  parameter Integer N = {0};
  Real z[N], x(start = 1, fixed = true);
equation
  der(x) = -x + z[1]/N;
  for i in 1:N loop
    z[i]*N + sum(z) = x + i;
  end for;
end Scaled;
"""


@dataclass
class Row:
    name: str
    model: str                          # of ScalableTestSuite with modifications, of Modelica, or a text of its own, to the stop time 1
    sizes: tuple
    to_reach: str = ""                  # the figure that we hold ourselves to
    by_hand: Optional[Callable] = None  # seconds of the program written by hand, of a size and a tolerance
    stop: Optional[float] = None        # where the model's own is not meant
    solver: str = "auto"
    writes: bool = False                # all rows, as CSV


class Bench:
    def __init__(self, options):
        self.options = options
        self.programs = options.programs or os.path.join(os.path.dirname(os.path.abspath(options.mosim)), "bench")

    def run(self, command):
        """Exit status, processor time, memory in MB and what was written."""
        with tempfile.TemporaryFile() as out:
            process = os.posix_spawnp(command[0], command, os.environ,
                                      file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, out.fileno(), 2)])
            timer = threading.Timer(self.options.limit, os.kill, (process, signal.SIGKILL))
            timer.start()
            _, status, usage = os.wait4(process, 0)
            timer.cancel()
            out.seek(0)
            return status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read().decode(errors="replace")

    def command(self, row, size, folder, *more):
        """mosim with a row's model."""
        options = self.options
        command = [options.mosim, "--solver", row.solver, *more]
        stop = ["--stop", "1" if row.stop is None else str(row.stop)]
        text = row.model.format(size) if size else row.model
        if text.startswith("Modelica."):
            return command + ["-L", options.modelica, "-m", text] + (stop if row.stop else [])
        if "end Scaled;" not in text:
            command += ["-L", options.modelica, "-L", options.library]
            text = "ScalableTestSuite." + text
            if "(" not in text:
                return command + ["-m", text] + (stop if row.stop else [])
            text = f"model Scaled = {text};\n"
        path = os.path.join(folder, "Scaled.mo")
        with open(path, "w") as file:
            file.write(text)
        return command + [path, "-m", "Scaled"] + stop

    def integrators(self, row, size):
        status, seconds, _, said = self.run([os.path.join(self.programs, "integrators_c"), str(size), "1e-6"])
        # The last of them passes 1 at the very end.
        assert status == 0 and said.split()[0] in (str(size), str(size - 1)), said
        return seconds, ""

    def cascade(self, row, size):
        """At equal error: the largest tolerance with which the program by hand is as near to the closed form as mosim."""
        lags = []   # Erlang's distribution: x[k](1) = P(more than k - 1 arrivals), at a rate of N
        rest = 1.0
        for k in range(size):
            rest -= math.exp(-size + k * math.log(size) - math.lgamma(k + 1))
            lags.append(rest)
        worst = lambda values: max(abs(a - b) for a, b in zip(values, lags))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.csv")
            status, *_ = self.run(self.command(row, size, folder, "--intervals", "1", "--results", "x*", "-o", path))
            assert status == 0
            with open(path) as file:
                error = worst(float(v) for v in list(csv.reader(file))[-1][1:])
        for k in range(13):
            tolerance = 10 ** (-6 - k / 4)
            status, seconds, _, said = self.run([os.path.join(self.programs, "cascade_c"), str(size), str(tolerance)])
            assert status == 0
            if worst(float(v) for v in said.split()) <= error:
                return seconds, f"by hand at a tolerance of {tolerance:.1e}, both {error:.0e} beside the closed form"
        return None, "not as near by hand"

    def measure(self, row):
        """Prints a row; false if a run failed."""
        done = []
        for size in row.sizes:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "rows.csv")
                begin = time.monotonic()
                status, seconds, megabytes, said = self.run(self.command(row, size, folder, "-o", path if row.writes else "none"))
                wall = time.monotonic() - begin
                written = os.path.getsize(path) / 1e6 if row.writes and os.path.exists(path) else 0
            count = size ** row.model.count("{0}") if size else ""
            times = REPORTED.search(said)
            if status != 0 or not times:
                print(f"{row.name:28}{count:>8}  {'no end within the limit' if os.WIFSIGNALED(status) else said.strip().splitlines()[0]}", flush=True)
                return False
            compiled, ran = (float(t) / 1000 for t in times.groups())
            line = f"{row.name:28}{count:>8}{seconds:>9.2f}{compiled:>12.2f}{ran:>9.2f}{megabytes:>7.0f}"
            remark = f"{wall:.2f} s from start to end, {written:.0f} MB of rows" if row.writes else ""
            if row.by_hand:
                by_hand, remark = row.by_hand(self, row, size)
                line += f"{by_hand:>9.2f}{seconds / by_hand:>7.2f}" if by_hand else f"{'-':>9}{'-':>7}"
            print(f"{line}  {remark}".rstrip(), flush=True)
            done.append((count, seconds, compiled, ran, megabytes))
        end = f"   to reach: {row.to_reach}" if row.to_reach else ""
        if len(done) > 1:
            columns = list(zip(*done))
            growth = [exponent(columns[0], c) for c in columns[1:]]
            print(f"{'':28}{'growth':>8}{growth[0]:>9}{growth[1]:>12}{growth[2]:>9}{growth[3]:>7}{end}", flush=True)
        elif end:
            print(f"{'':28}{end.strip()}", flush=True)
        return True

    def ball(self):
        ball = os.path.join(HERE, "..", "models", "DiscreteBehavior", "BouncingBall", "BouncingBall.mo")
        compare = [os.path.join(self.programs, "compare_ball"), self.options.mosim, os.path.join(self.programs, "bouncing_ball_c"), ball]
        said = subprocess.run(compare, capture_output=True, text=True, check=False).stdout
        print("BouncingBall: " + next(line for line in said.splitlines() if "by hand" in line) + "   to reach: 1.3")


def exponent(sizes, values):
    if min(values) <= 0:
        return "-"
    return f"{math.log(values[-1] / values[0]) / math.log(sizes[-1] / sizes[0]):.2f}"


ROWS = [
    Row("ManyEvents", "Elementary.WhenEvents.Models.ManyEvents(N={0})", (1000, 2000, 4000), "1.3 times by hand", Bench.integrators),
    Row("CascadedFirstOrder", "Elementary.SimpleODE.Models.CascadedFirstOrder(N={0})", (1600, 3200, 6400), "1.2 times by hand", Bench.cascade),
    Row("Table", "Elementary.ParameterArrays.ScaledExperiments.Table_N_{0}_M_{0}", (70, 140, 280), "0.1 s at 140 x 140"),
    Row("DistributionSystemModelica", "Electrical.DistributionSystemDC.ScaledExperiments.DistributionSystemModelicaIndividual_N_{0}_M_{0}", (10, 20, 40),
        "1 s at 20 x 20"),
    Row("DistributionSystemLinear", "Electrical.DistributionSystemAC.ScaledExperiments.DistributionSystemLinear_N_{0}_M_{0}", (14, 20, 28), "3 s at 28 x 28"),
    Row("DistributionSystemRows", "Electrical.DistributionSystemAC.ScaledExperiments.DistributionSystemLinear_N_{0}_M_{0}", (14, 20, 28), writes=True),
    Row("TransmissionLine", "Electrical.TransmissionLine.ScaledExperiments.TransmissionLineModelica_N_{0}", (80, 320, 1280), "3 s at 1280"),
    Row("TransmissionLineRows", "Electrical.TransmissionLine.ScaledExperiments.TransmissionLineModelica_N_{0}", (80, 320, 1280), writes=True),
    Row("TransmissionLineBdf", "Electrical.TransmissionLine.ScaledExperiments.TransmissionLineModelica_N_{0}", (80, 320, 1280), solver="bdf"),
    Row("FlexibleBeam", "Mechanical.FlexibleBeam.ScaledExperiments.FlexibleBeamModelica_N_{0}", (4, 8, 16), "3 s at 16"),
    Row("FlexibleBeamBdf", "Mechanical.FlexibleBeam.ScaledExperiments.FlexibleBeamModelica_N_{0}", (4, 8, 16), solver="bdf"),
    Row("HarmonicOscillator", "Mechanical.HarmonicOscillator.ScaledExperiments.HarmonicOscillatorNetwork_N_{0}", (80, 160, 320), "0.3 s at 320"),
    Row("BreakerNetwork", "Electrical.BreakerCircuits.ScaledExperiments.BreakerNetwork_N_{0}_M_10", (80, 160, 320)),
    Row("StatesInLoop", STATES, (10000, 30000, 100000), "0.5 s and 100 MB at 100000, compiled"),
    Row("RecordsByFunction", RECORDS, (1000, 4000, 16000)),
    Row("CallsWithArray", CALLS, (1000, 4000, 16000)),
    Row("AlgorithmOverArray", ALGORITHM, (1000, 4000, 16000)),
    Row("DenseLoop", DENSE, (500, 1000, 2000), "1 s at 2000"),
    Row("EngineV6", "Modelica.Mechanics.MultiBody.Examples.Loops.EngineV6", (None,), "5 s to 1 s", stop=1),
    Row("EngineV6_analytic", "Modelica.Mechanics.MultiBody.Examples.Loops.EngineV6_analytic", (None,), "1 s to 1 s", stop=1),
    Row("CauerLowPassSC", "Modelica.Electrical.Analog.Examples.CauerLowPassSC", (None,), "0.6 s to 60 s", stop=60),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", help="the folder ScalableTestSuite of a checkout of casella/ScalableTestSuite")
    parser.add_argument("modelica", help="the folder Modelica of the Modelica Standard Library")
    parser.add_argument("rows", nargs="*", help="only these rows; also BouncingBall")
    parser.add_argument("--mosim", default=os.path.join(HERE, "..", "build", "mosim"))
    parser.add_argument("--programs", help="the folder with the programs written by hand (bench/ beside mosim)")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one run")
    options = parser.parse_args()
    bench = Bench(options)
    print(f"{'model':28}{'size':>8}{'CPU s':>9}{'compiled s':>12}{'run s':>9}{'MB':>7}{'by hand':>9}{'ratio':>7}")
    good = True
    for row in ROWS:
        if not options.rows or row.name in options.rows:
            good = bench.measure(row) and good
    if not options.rows or "BouncingBall" in options.rows:
        bench.ball()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
