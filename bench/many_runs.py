#!/usr/bin/env python3
"""1,000 runs of the bouncing ball to 3 s, each with another e: the package, the bare library, and others doing the same.

    python bench/many_runs.py --library build/bench/many_runs [--fmu BouncingBall.fmu]

in an environment with mosim, and for the others with fmpy and scipy.
The FMU is BouncingBall of the Reference FMUs (FMI 2.0, modelica/Reference-FMUs). Times are the best of several rounds, taken in turns.
"""

import argparse
import pathlib
import shutil
import subprocess
import time

import mosim

ROOT = pathlib.Path(__file__).resolve().parents[1]
BALL = ROOT / "models/DiscreteBehavior/BouncingBall/BouncingBall.mo"
RUNS = 1000
EACH = [0.5 + 0.4 * k / RUNS for k in range(RUNS)]


def timed(work):
    begin = time.perf_counter()
    work()
    return 1e6 * (time.perf_counter() - begin) / RUNS


def loop(model):
    return lambda: [model.simulate(stop=3, set={"e": e}, results=["h", "v"])["v"][-1] for e in EACH]


def study(model, workers):
    return lambda: mosim.study(model, {"e": EACH}, report="last(v)", stop=3, workers=workers)


def with_fmpy(path):
    import fmpy

    folder = fmpy.extract(path)
    description = fmpy.read_model_description(folder)
    instance = fmpy.instantiate_fmu(folder, description, fmi_type="CoSimulation")

    def work():
        for e in EACH:
            instance.reset()
            fmpy.simulate_fmu(folder, model_description=description, fmu_instance=instance, fmi_type="CoSimulation", stop_time=3, start_values={"e": e}, output=["h", "v"],
                              output_interval=3 / 500)

    return work, folder


def with_scipy():
    from scipy.integrate import solve_ivp

    def fall(t, y):
        return [y[1], -9.81]

    def impact(t, y):
        return y[0]

    impact.terminal = True
    impact.direction = -1

    def work():
        for e in EACH:
            t, y = 0.0, [1.0, 0.0]
            while t < 3:
                found = solve_ivp(fall, (t, 3), y, events=impact, rtol=1e-8, atol=1e-8)
                t = found.t[-1]
                if found.status != 1 or abs(found.y[1, -1]) < 1e-3:
                    break
                y = [0.0, -e * found.y[1, -1]]

    return work


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="the program of many_runs.cpp")
    parser.add_argument("--fmu")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    model = mosim.load(BALL)
    work = {"mosim, a loop of simulate": loop(model), "mosim.study, one worker": study(model, 1), "mosim.study, two workers": study(model, 2)}
    folder = None
    if given.fmu:
        work["FMPy, one instance that is reset"], folder = with_fmpy(given.fmu)
    try:
        work["scipy, solve_ivp with events"] = with_scipy()
    except ImportError:
        pass
    best = {name: float("inf") for name in ["the library, from C++", *work]}
    for _ in range(given.rounds):
        found = subprocess.run([given.library, str(BALL), str(RUNS)], capture_output=True, text=True, check=True).stdout.split()
        best["the library, from C++"] = min(best["the library, from C++"], float(found[0]))
        for name, what in work.items():
            best[name] = min(best[name], timed(what))
    if folder:
        shutil.rmtree(folder)
    library = best["the library, from C++"]
    print(f"{'':40}{'us a run':>10}{'ratio':>8}")
    for name, value in best.items():
        print(f"{name:40}{value:10.1f}{value / library:8.2f}")
    print(f"\noverhead of simulate over the library: {best['mosim, a loop of simulate'] - library:.1f} us a run (limit 50)")
    print(f"two workers over one: {best['mosim.study, one worker'] / best['mosim.study, two workers']:.2f} (limit 1.7, on two cores)")


if __name__ == "__main__":
    main()
