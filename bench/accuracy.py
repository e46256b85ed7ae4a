#!/usr/bin/env python3
"""How near the results come to the tolerance, and at what cost: problems of the test set for initial value problems (Mazzia and Magherini, Bari)
and motions with events that have a closed form, by mosim's solvers and by scipy's.

    bench/accuracy.py [--mosim build/mosim] [--figure FILE.svg] [PROBLEM...]

Prints a table in Markdown. An error is the largest of all components at the end, in units of tolerance*(|value| + nominal): 1 is the tolerance.
Behind it are the evaluations of the right side. It needs Debian's python3-scipy, and gnuplot for the figure."""

import argparse
import csv
import math
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
from scipy.integrate import solve_ivp

TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
SHOWN = (1e-4, 1e-6, 1e-8)


class Problem:
    """y' = f(t, y), as Python and as the equations of a model M whose states are `names`; `end`: the states at `stop`."""

    def __init__(self, stop, start, nominal, equations, f, end, declarations="", methods=("Radau", "BDF", "LSODA"), solvers=("bdf", "esdirk", "erk")):
        self.stop, self.start, self.nominal, self.equations, self.f, self.end = stop, np.array(start, float), np.array(nominal, float), equations, f, np.array(end, float)
        self.declarations, self.methods, self.solvers = declarations, methods, solvers
        self.names = [f"y[{k + 1}]" for k in range(len(start))]

    def text(self):
        def listed(values):
            return "{" + ", ".join(repr(float(v)) for v in values) + "}"

        return (f"model M\n  {self.declarations}\n  Real y[{len(self.start)}](start = {listed(self.start)}, each fixed = true, nominal = {listed(self.nominal)});\n"
                f"equation\n  {self.equations}\nend M;\n")


def van_der_pol():
    f = lambda t, y: [y[1], ((1 - y[0] ** 2) * y[1] - y[0]) / 1e-6]
    return Problem(2, [2, 0], [1, 1], "der(y[1]) = y[2]; der(y[2]) = ((1 - y[1]^2)*y[2] - y[1])/1e-6;", f, [1.706167732170483, -0.8928097010247975], solvers=("bdf", "esdirk"))


def robertson():
    f = lambda t, y: [-0.04 * y[0] + 1e4 * y[1] * y[2], 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] ** 2, 3e7 * y[1] ** 2]
    return Problem(40, [1, 0, 0], [1, 1e-5, 1], "der(y[1]) = -0.04*y[1] + 1e4*y[2]*y[3]; der(y[3]) = 3e7*y[2]^2; der(y[2]) = -der(y[1]) - der(y[3]);", f,
                   [0.7158270687194135, 9.185534764558135e-06, 0.2841637457458220], solvers=("bdf", "esdirk"))


def hires():
    def f(t, y):
        return [-1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007, 1.71 * y[0] - 8.75 * y[1], -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4],
                8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3], -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6], -280 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6],
                280 * y[5] * y[7] - 1.81 * y[6], -280 * y[5] * y[7] + 1.81 * y[6]]

    equations = ("der(y) = {-1.71*y[1] + 0.43*y[2] + 8.32*y[3] + 0.0007, 1.71*y[1] - 8.75*y[2], -10.03*y[3] + 0.43*y[4] + 0.035*y[5], "
                 "8.32*y[2] + 1.71*y[3] - 1.12*y[4], -1.745*y[5] + 0.43*y[6] + 0.43*y[7], -280*y[6]*y[8] + 0.69*y[4] + 1.71*y[5] - 0.43*y[6] + 0.69*y[7], "
                 "280*y[6]*y[8] - 1.81*y[7], -280*y[6]*y[8] + 1.81*y[7]};")
    return Problem(321.8122, [1, 0, 0, 0, 0, 0, 0, 0.0057], [1e-3] * 8, equations, f,
                   [0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2, 0.2386356198831331e-2, 0.6238968252742796e-2,
                    0.2849998395185769e-2, 0.2850001604814231e-2], solvers=("bdf", "esdirk"))


def pleiades():
    m = np.arange(1, 8)

    def f(t, z):
        x, y = z[:7], z[7:14]
        dx, dy = x[None, :] - x[:, None], y[None, :] - y[:, None]
        r3 = (dx**2 + dy**2) ** 1.5
        np.fill_diagonal(r3, 1)
        return np.concatenate([z[14:], (m * dx / r3).sum(1), (m * dy / r3).sum(1)])

    start = [3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4, 0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1, 0, 0]
    body = "sum(if i == j then 0 else j*(y[{0} + j] - y[{0} + i])/((y[j] - y[i])^2 + (y[7 + j] - y[7 + i])^2)^1.5 for j in 1:7)"
    equations = f"for i in 1:14 loop der(y[i]) = y[14 + i]; end for; for i in 1:7 loop der(y[14 + i]) = {body.format(0)}; der(y[21 + i]) = {body.format(7)}; end for;"
    end = solve_ivp(f, (0, 3), start, "DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    return Problem(3, start, [1] * 28, equations, f, end, methods=("RK45", "DOP853", "LSODA"))


def ring_modulator():
    C, Cs, Cp, Lh, Ls1, Ls2, gamma, R, Rp, Rg1, Rg2, Ri, Rc, delta = 1.6e-8, 2e-12, 1e-8, 4.45, 0.002, 5e-4, 40.67286402e-9, 25000, 50, 36.3, 17.3, 50, 600, 17.7493332

    def f(t, y):
        u1, u2 = 0.5 * math.sin(2000 * math.pi * t), 2 * math.sin(20000 * math.pi * t)
        q = [gamma * (math.exp(min(delta * u, 300)) - 1) for u in (y[2] - y[4] - y[6] - u2, -y[3] + y[5] - y[6] - u2, y[3] + y[4] + y[6] + u2, -y[2] - y[5] + y[6] + u2)]
        return [(y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / R) / C, (y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / R) / C,
                (y[9] - q[0] + q[3]) / Cs, (-y[10] + q[1] - q[2]) / Cs, (y[11] + q[0] - q[2]) / Cs, (-y[12] - q[1] + q[3]) / Cs,
                (-y[6] / Rp + q[0] + q[1] - q[2] - q[3]) / Cp, -y[0] / Lh, -y[1] / Lh,
                (0.5 * y[0] - y[2] - Rg2 * y[9]) / Ls2, (-0.5 * y[0] + y[3] - Rg2 * y[10]) / Ls2, (0.5 * y[1] - y[4] - Rg2 * y[11]) / Ls2, (-0.5 * y[1] + y[5] - Rg2 * y[12]) / Ls2,
                (-y[0] + u1 - (Ri + Rg1) * y[13]) / Ls1, (-y[1] - (Rc + Rg1) * y[14]) / Ls1]

    declarations = (f"constant Real C = {C}, Cs = {Cs}, Cp = {Cp}, Lh = {Lh}, Ls1 = {Ls1}, Ls2 = {Ls2}, g = {gamma}, R = {R}, Rp = {Rp}, Rg1 = {Rg1}, Rg2 = {Rg2}, Ri = {Ri}, Rc = {Rc}, "
                    f"d = {delta}, pi = {math.pi!r}; Real u1 = 0.5*sin(2000*pi*time), u2 = 2*sin(20000*pi*time); "
                    "Real u[4] = {y[3] - y[5] - y[7] - u2, -y[4] + y[6] - y[7] - u2, y[4] + y[5] + y[7] + u2, -y[3] - y[6] + y[7] + u2}, q[4] = g*(exp(d*u) .- 1);")
    equations = ("C*der(y[1]) = y[8] - 0.5*y[10] + 0.5*y[11] + y[14] - y[1]/R; C*der(y[2]) = y[9] - 0.5*y[12] + 0.5*y[13] + y[15] - y[2]/R; Cs*der(y[3]) = y[10] - q[1] + q[4]; "
                 "Cs*der(y[4]) = -y[11] + q[2] - q[3]; Cs*der(y[5]) = y[12] + q[1] - q[3]; Cs*der(y[6]) = -y[13] - q[2] + q[4]; Cp*der(y[7]) = -y[7]/Rp + q[1] + q[2] - q[3] - q[4]; "
                 "Lh*der(y[8]) = -y[1]; Lh*der(y[9]) = -y[2]; Ls2*der(y[10]) = 0.5*y[1] - y[3] - Rg2*y[10]; Ls2*der(y[11]) = -0.5*y[1] + y[4] - Rg2*y[11]; "
                 "Ls2*der(y[12]) = 0.5*y[2] - y[5] - Rg2*y[12]; Ls2*der(y[13]) = -0.5*y[2] + y[6] - Rg2*y[13]; Ls1*der(y[14]) = -y[1] + u1 - (Ri + Rg1)*y[14]; "
                 "Ls1*der(y[15]) = -y[2] - (Rc + Rg1)*y[15];")
    # The published values are those of all 15; two of them are enough to compare.
    end = [-0.2339057358486745e-1, -0.7367485485540825e-2] + [math.nan] * 13
    return Problem(1e-3, [0] * 15, [1] * 15, equations, f, end, declarations, solvers=("bdf", "esdirk"))


def bouncing_ball():
    # Height 1, e = 0.8, until the fifth bounce is behind it: between bounces a parabola.
    g, e, fall, stop = 9.81, 0.8, math.sqrt(2 / 9.81), 2.6
    t, v = fall, g * fall
    while True:
        v *= e
        if t + 2 * v / g > stop:
            break
        t += 2 * v / g
    s = stop - t
    p = Problem(stop, [1, 0], [1, 1], "der(y[1]) = y[2]; der(y[2]) = -9.81; when y[1] < 0 then reinit(y[2], -0.8*pre(y[2])); end when;", None,
                [v * s - g * s * s / 2, v - g * s], methods=())
    return p


def square_wave():
    # A filter of order 2 (two lags, 10 and 30 ms) behind a square wave with 1,000 jumps in a second.
    a, b, T = 100.0, 100.0 / 3, 1e-3
    x = y = 0.0
    u = 1.0
    for k in range(1000):
        xn = u + (x - u) * math.exp(-a * T)
        # y' = b*(x - y)
        c = (x - u) * b / (b - a)
        y = u + c * math.exp(-a * T) + (y - u - c) * math.exp(-b * T)
        x, u = xn, -u
    return Problem(1, [0, 0], [1, 1], "der(y[1]) = 100*(u - y[1]); der(y[2]) = 100/3*(y[1] - y[2]); when sample(0.001, 0.001) then u = -pre(u); end when;", None, [x, y],
                   "discrete Real u(start = 1, fixed = true);", methods=())


PROBLEMS = {"van der Pol, mu = 1000": van_der_pol, "Robertson to 40 s": robertson, "HIRES": hires, "ring modulator": ring_modulator, "Pleiades": pleiades,
            "bouncing ball, 6 events": bouncing_ball, "square wave, 1,000 events": square_wave}


def error(problem, values, tolerance):
    known = ~np.isnan(problem.end)
    return float(np.max(np.abs(values - problem.end)[known] / (tolerance * (np.abs(problem.end) + problem.nominal)[known])))


def by_mosim(binary, problem, solver, tolerance, folder):
    path, rows = os.path.join(folder, "M.mo"), os.path.join(folder, "M.csv")
    with open(path, "w") as file:
        file.write(problem.text())
    done = subprocess.run([binary, path, "--stop", repr(problem.stop), "--tolerance", repr(tolerance), "--solver", solver, "-o", rows, "--time-limit", "60"], capture_output=True, text=True)
    cost = re.search(r"([\d,]+) evaluations", done.stdout)
    if done.returncode != 0 or not cost:
        return None
    with open(rows) as file:
        table = list(csv.reader(file))
    last = dict(zip(table[0], table[-1]))
    return error(problem, np.array([float(last[n]) for n in problem.names]), tolerance), int(cost.group(1).replace(",", ""))


def by_scipy(problem, method, tolerance):
    try:
        run = solve_ivp(problem.f, (0, problem.stop), problem.start, method, rtol=tolerance, atol=tolerance * problem.nominal)
    except (ValueError, OverflowError):
        return None
    return (error(problem, run.y[:, -1], tolerance), run.nfev) if run.success else None


def draw(path, curves):
    """Work over precision, a panel for each problem."""
    with tempfile.TemporaryDirectory() as folder:
        columns = 2
        rows = -(-len(curves) // columns)
        lines = [f"set terminal svg size 960,{300 * rows} font 'sans-serif,12' background '#ffffff'", f"set output '{path}'", f"set multiplot layout {rows},{columns}", "set logscale xy",
                 "set format xy '10^{%L}'", "set xlabel 'error at the end, relative'", "set ylabel 'evaluations'", "set key left top samplen 2 font ',10'", "set grid", "set xrange [:] reverse"]
        for p, (name, series) in enumerate(curves.items()):
            plots = []
            for s, (label, points) in enumerate(series.items()):
                data = os.path.join(folder, f"{p}_{s}")
                with open(data, "w") as file:
                    file.writelines(f"{e} {n}\n" for e, n in points)
                plots.append(f"'{data}' with linespoints title '{label}'")
            if plots:
                lines += [f"set title '{name}'", "plot " + ", ".join(plots)]
        subprocess.run(["gnuplot"], input="\n".join(lines), text=True, check=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("problems", nargs="*")
    arguments.add_argument("--mosim", default="build/mosim")
    arguments.add_argument("--figure")
    given = arguments.parse_args()
    curves = {}
    print("| problem | tolerance | " + " | ".join(["mosim bdf", "esdirk", "erk", "scipy Radau", "BDF", "LSODA", "RK45", "DOP853"]) + " |")
    print("|---|---:|" + "---:|" * 8)
    with tempfile.TemporaryDirectory() as folder:
        for name, make in PROBLEMS.items():
            if given.problems and not any(p.lower() in name.lower() for p in given.problems):
                continue
            problem = make()
            series = curves.setdefault(name, {})
            for tolerance in TOLERANCES if given.figure else SHOWN:
                row = {}
                for solver in problem.solvers:
                    row["mosim " + solver] = by_mosim(given.mosim, problem, solver, tolerance, folder)
                for method in problem.methods:
                    row["scipy " + method] = by_scipy(problem, method, tolerance)
                for label, result in row.items():
                    if result and result[0] > 0:
                        series.setdefault(label, []).append((result[0] * tolerance, result[1]))
                if tolerance in SHOWN:
                    keys = ["mosim bdf", "mosim esdirk", "mosim erk"] + ["scipy " + m for m in ("Radau", "BDF", "LSODA", "RK45", "DOP853")]
                    cells = [("fails" if row[k] is None else f"{row[k][0]:.2g} / {row[k][1]:,}") if k in row else "" for k in keys]
                    print(f"| {name} | {tolerance:g} | " + " | ".join(cells) + " |", flush=True)
    if given.figure:
        draw(given.figure, curves)


if __name__ == "__main__":
    sys.exit(main())
