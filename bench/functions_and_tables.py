#!/usr/bin/env python3
"""What a function's call costs beside the same statements written in the model, and what a large table costs at the start.

functions_and_tables.py [--mosim FILE] [--library MODELICA] [--rows N] [--runs N]

The statements hold a while loop, so that the call is one: nothing is put in its place. Without a library only the call is measured."""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

CALL_LIMIT = 1.3     # times the same code in the model
START_LIMIT = 0.3    # s

MODELS = """
package Cost
  constant Integer n = 50;
  function f
    input Real x;
    input Real y;
    output Real z;
  protected
    Real s, c;
  algorithm
    s := 0;
    c := x;
    while s < 3 loop
      s := s + 0.5 + 0.01*c*c;
      c := 0.9*c + y;
    end while;
    z := s + c;
  end f;
  partial model Base
    Real x[n](each start = 1, each fixed = true), z[n];
  equation
    for i in 1:n loop
      der(x[i]) = 0.1*sin(z[i]) - x[i];
    end for;
  end Base;
  model Called
    extends Base;
  equation
    for i in 1:n loop
      z[i] = f(x[i], time + i);
    end for;
  end Called;
  model Written
    extends Base;
    Real s[n], c[n];
  algorithm
    for i in 1:n loop
      s[i] := 0;
      c[i] := x[i];
      while noEvent(s[i] < 3) loop
        s[i] := s[i] + 0.5 + 0.01*c[i]*c[i];
        c[i] := 0.9*c[i] + time + i;
      end while;
      z[i] := s[i] + c[i];
    end for;
  end Written;
end Cost;
"""

TABLE = """
model Table
  Modelica.Blocks.Sources.CombiTimeTable table(tableOnFile = true, tableName = "tab", fileName = "{file}", columns = {{2}},
    verboseRead = false);
  Real x(start = 0, fixed = true);
equation
  der(x) = table.y[1];
end Table;
"""


def run(mosim, *arguments):
    """Milliseconds compiled and run, and how many evaluations."""
    done = subprocess.run([mosim, *arguments, "-o", "none"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    times = re.search(r"([\d.]+) ms read, ([\d.]+) ms compiled, ([\d.]+) ms run", done.stdout)
    evaluations = re.search(r"(\d+) evaluations", done.stdout)
    return float(times[2]), float(times[3]), int(evaluations[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--mosim", default=os.path.join(root, "build", "mosim"))
    parser.add_argument("--library", help="the folder that the Modelica Standard Library's package lies in")
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the table")
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        models = os.path.join(scratch, "Cost.mo")
        with open(models, "w") as file:
            file.write(MODELS)
        cost = {"Called": [], "Written": []}
        for _ in range(options.runs):
            for model, costs in cost.items():
                _, milliseconds, evaluations = run(options.mosim, models, "-m", f"Cost.{model}", "--stop", "20", "--tolerance", "1e-9")
                costs.append(1000 * milliseconds / evaluations)
        called, written = (statistics.median(costs) for costs in cost.values())
        print(f"call: {called:.2f} us an evaluation, written in the model {written:.2f}: ratio {called / written:.2f} (limit {CALL_LIMIT})")
        if not options.library:
            return
        data = os.path.join(scratch, "table.txt")
        with open(data, "w") as file:
            file.write(f"#1\ndouble tab({options.rows},2)\n")
            for k in range(options.rows):
                file.write(f"{k * 1e-3:.17g} {k * 7919 % 1000 * 1e-3:.17g}\n")
        table = os.path.join(scratch, "Table.mo")
        with open(table, "w") as file:
            file.write(TABLE.format(file=data))
        starts = [run(options.mosim, table, "-m", "Table", "-L", options.library, "--stop", "1e-9") for _ in range(options.runs)]
        start = statistics.median(milliseconds for _, milliseconds, _ in starts) / 1000
        print(f"table of {options.rows} rows ({os.path.getsize(data) / 1e6:.0f} MB): read and started in {start:.2f} s (limit {START_LIMIT} beyond reading)")


if __name__ == "__main__":
    main()
