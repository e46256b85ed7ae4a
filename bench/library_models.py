#!/usr/bin/env python3
"""Simulates every model of a library that says it can be, and tells which of them do otherwise.

  bench/library_models.py LIBRARY [PATTERN...]  [--mosim FILE] [--jobs N] [--timeout S] [-L PATH...] [--native-code]

LIBRARY: a package's folder or file. A model that holds an experiment annotation shall run to its end; one that holds
__ModelicaAssociation(TestCase(shouldPass = false)), as those of the ModelicaCompliance library do, shall be refused or fail, by
a message at a place, not by a crash. PATTERN: of names (ModelicaCompliance.Scoping.*); all, if none is given. -L: another
library that it needs. --native-code: C that models bring along may run. Prints a line for each that does otherwise, with its first error, and a table by package.
"""

import argparse
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|\'(?:[^\'\\]|\\.)*\'|\w+|\S', re.S)
RESTRICTED = {"model", "block", "package", "class", "function", "record", "connector", "type", "operator"}


def classes(text):
    """Yields the dotted name of each class that a text defines, with the tokens that stand in it but in none inside it."""
    tokens = [t for t in TOKEN.findall(text) if not t.startswith(("//", "/*"))]
    within, stack, i = "", [], 0
    while i < len(tokens):
        token = tokens[i]
        following = tokens[i + 1] if i + 1 < len(tokens) else ""
        if token == "within" and not stack:
            end = tokens.index(";", i)
            within = "".join(tokens[i + 1:end])
            i = end
        elif token == "end" and stack and following == stack[-1][0]:
            name = ".".join(([within] if within else []) + [c[0] for c in stack])
            yield name, stack.pop()[1]
            i += 1
        elif token in RESTRICTED and re.match(r"[A-Za-z_']", following) and following not in RESTRICTED and following != "extends":
            # class A = B has no end, and function f(x = 1) is an argument.
            after = tokens[i + 2] if i + 2 < len(tokens) else ""
            if after not in ("=", "(", "."):
                stack.append((following, []))
            i += 1
        elif token in RESTRICTED and following == "extends":
            stack.append((tokens[i + 2], []))
            i += 2
        elif stack:
            stack[-1][1].append(token)
        i += 1


def models(library):
    """(name, shall it run) for each model."""
    files = [library] if os.path.isfile(library) else [
        os.path.join(folder, f) for folder, _, names in os.walk(library) for f in names if f.endswith(".mo")]
    for path in sorted(files):
        for name, tokens in classes(open(path, errors="replace").read()):
            held = "".join(tokens)
            verdict = re.search(r"TestCase\((?:.*?,)?shouldPass=(true|false)", held)
            if verdict:
                yield name, verdict[1] == "true"
            elif "experiment(" in held and "TestCase(" not in held:
                yield name, True


def run(job):
    name, runs, options = job
    out = os.path.join(options.scratch, name + ".csv")
    command = [options.mosim, "-L", options.library, "-m", name, "-o", out]
    if options.native_code:
        command.append("--native-code")
    for path in options.libraries:
        command += ["-L", path]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout, errors="replace", cwd=options.scratch)
    except subprocess.TimeoutExpired:
        return name, "slow", f"over {options.timeout:g} s"
    if os.path.exists(out):
        os.unlink(out)
    errors = [line for line in done.stderr.splitlines() if "error" in line] or ["no message"]
    if done.returncode not in (0, 2, 3):
        return name, "crashes", f"status {done.returncode}: {errors[0]}"
    if runs and done.returncode != 0:
        return name, "refused" if done.returncode == 2 else "fails", errors[0]
    if not runs and done.returncode == 0:
        return name, "accepted", "it shall not pass"
    return name, "as it shall", ""


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("library")
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--mosim", default=os.path.join(os.path.dirname(__file__), "..", "build", "mosim"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--native-code", action="store_true")
    parser.add_argument("-L", dest="libraries", action="append", default=[])
    options = parser.parse_args()
    for path in ("library", "mosim"):
        setattr(options, path, os.path.abspath(getattr(options, path)))
    if not os.path.exists(options.library):
        parser.error(f"there is no {options.library}")
    options.libraries = [os.path.abspath(path) for path in options.libraries]
    with tempfile.TemporaryDirectory() as scratch:
        options.scratch = scratch
        jobs = [(name, runs, options) for name, runs in models(options.library)
                if not options.patterns or any(fnmatch.fnmatchcase(name, p) for p in options.patterns)]
        table = {}
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for name, outcome, reason in pool.map(run, jobs):
                table.setdefault(".".join(name.split(".")[:2]), {}).setdefault(outcome, []).append(name)
                if reason:
                    print(f"{outcome:12} {name}  {reason}", flush=True)
    kinds = ["as it shall", "accepted", "refused", "fails", "slow", "crashes"]
    print("\n" + "package".ljust(44) + "".join(k.rjust(14) for k in kinds))
    for package, row in sorted(table.items()):
        print(package.ljust(44) + "".join(str(len(row.get(k, []))).rjust(14) for k in kinds))
    print("all".ljust(44) + "".join(str(sum(len(row.get(k, [])) for row in table.values())).rjust(14) for k in kinds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
