// Conditions of a course in words, for questions whose author wrote none.

const precedence = [["or"], ["and"], ["<", ">", "<=", ">=", "==", "<>"], ["+", "-"], ["*", "/"], ["^"]];
const relations = { "<": "is less than ", ">": "is greater than ", "<=": "is at most ", ">=": "is at least ", "==": "is ", "<>": "is not " };
const apart = { "<": "less than ", "<=": "at most ", ">": "more than ", ">=": "at least " };
const operators = { "+": "plus", "-": "minus", "*": "times", "/": "divided by", "^": "to the power of" };
const ofValues = { min: "the smallest value of", max: "the largest value of", first: "the first value of", last: "the last value of", mean: "the mean of", rms: "the root mean square of", integral: "the integral over time of", sqrt: "the square root of", abs: "the size of" };
const ofConditions = ["count", "reached", "duration", "ever", "always"];

function read(text) {
  const tokens = text.match(/\d+(\.\d*)?([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?|[A-Za-z_][\w.]*(\[[^\]]*\])?(\.\w[\w.]*)?|'[^']+'|<=|>=|==|<>|\S/g) || [];
  let at = 0;
  const take = wanted => { if (tokens[at++] !== wanted) throw wanted; };
  function primary() {
    const t = tokens[at++];
    if (t === "(") {
      const inner = binary(0);
      take(")");
      return inner;
    }
    if (t === "-" || t === "+") return { sign: t, of: binary(4) };
    if (/^[\d.]/.test(t)) return { number: Number(t) };
    if (!/^[A-Za-z_']/.test(t)) throw t;
    if (tokens[at] !== "(") return { name: t };
    const list = [];
    take("(");
    if (tokens[at] === ")") ++at;
    else do list.push(binary(0)); while (tokens[at++] === ",");
    if (tokens[at - 1] !== ")") throw t;
    return { call: t, list };
  }
  function binary(level) {
    if (level === 2 && tokens[at] === "not") {
      ++at;
      return { not: binary(2) };
    }
    if (level === precedence.length) return primary();
    let left = binary(level + 1);
    while (precedence[level].includes(tokens[at])) left = { operator: tokens[at++], left, right: binary(level + 1) };
    return left;
  }
  const all = binary(0);
  if (at !== tokens.length) throw tokens[at];
  return all;
}

const isClaim = e => e.not || e.operator in relations || e.operator === "and" || e.operator === "or" || ["ever", "always"].includes(e.call);

/* verb: of what is claimed: "is", "becomes" */
function claim(e, verb = "is") {
  if (e.not) return e.not.name ? `${e.not.name} ${verb} false` : e.not.call === "ever" ? `at no time ${claim(e.not.list[0])}` : `it ${verb} not so that ${claim(e.not)}`;
  if (e.operator === "and" || e.operator === "or") return `${claim(e.left, verb)}${e.operator === "or" ? ", or " : " and "}${claim(e.right, verb)}`;
  if (e.operator in relations) {
    const { left, right, operator } = e;
    if (left.call === "abs" && operator in apart && verb === "is") {
      const [inner] = left.list, [from, by] = inner.operator === "-" ? [inner.left, inner.right] : [inner, { number: 0 }];
      return `${value(from)} differs from ${value(by)} by ${apart[operator]}${value(right)}`;
    }
    return `${value(left)} ${relations[operator].replace("is", verb)}${value(right)}`;
  }
  if (e.call === "ever" || e.call === "always") return `at ${e.call === "ever" ? "some time" : "all times"} ${claim(e.list[0])}`;
  if (e.name) return `${e.name} ${verb} true`;
  throw e;
}
// Words have no precedence.
const inner = e => e.operator ? `(${value(e)})` : value(e);
function value(e) {
  if (isClaim(e)) throw e;
  if ("number" in e) return String(e.number).replace(/e\+?/, " times ten to the power of ");
  if (e.sign) return `${e.sign === "-" ? "minus " : ""}${inner(e.of)}`;
  if (e.operator) return `${inner(e.left)} ${operators[e.operator]} ${inner(e.right)}`;
  if (e.name) return e.name;
  const { call, list } = e;
  if (call === "count") return `the number of times that ${claim(list[0], "becomes")}`;
  if (call === "reached") return `the first time at which ${claim(list[0])}`;
  if (call === "duration") return `the time in seconds for which ${claim(list[0])}`;
  if (call === "events") return "the number of events";
  if (call === "steps") return "the number of steps of the solver";
  if (call === "at" && list.length === 2) return `${inner(list[0])} at ${"number" in list[1] ? `${value(list[1])} s` : `the time ${inner(list[1])}`}`;
  if (list.length === 1 && call === "last" && list[0].name === "time") return "the time at the end of the run";
  if (list.length === 1 && ofValues[call]) return `${ofValues[call]} ${inner(list[0])}`;
  if (!list.length || ofConditions.includes(call)) throw e;
  return `${call} of ${list.map(value).join(" and ")}`;
}

/** What was found, "max(h) is 1, at(h, 2) is 0.3", with words for the calls. */
export function told(found) {
  let out = "", at = 0;
  for (const m of found.matchAll(/[a-z]+\(/gi)) {
    if (m.index < at) continue;
    let end = m.index + m[0].length;
    for (let depth = 1; depth && end < found.length; ++end) depth += found[end] === "(" ? 1 : found[end] === ")" ? -1 : 0;
    let words = found.slice(m.index, end);
    try {
      words = value(read(words));
    } catch (_) {
      const [, is] = /^ is ([01])(?![\d.])/.exec(found.slice(end)) || [];
      try {
        words = claim(read(words)) + (is ? `: ${is === "1" ? "yes" : "no"}` : "");
        if (is) end += 5;
      } catch (_) { /* as it is */ }
    }
    out += found.slice(at, m.index) + words;
    at = end;
  }
  return out + found.slice(at);
}

/** A sentence without its full stop, or "" for what is no such condition. */
export function spoken(condition) {
  try {
    return claim(read(condition));
  } catch (_) {
    return "";
  }
}
