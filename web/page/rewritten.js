// Which values a change of a text gives: what is written counts more than a slider that was moved before.

/** The lines of `after` that are not those of `before`, with what of the line before them they may go on with; without comments and strings. */
function written(before, after) {
  const old = before.split("\n"), now = after.split("\n");
  let head = 0, tail = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) ++head;
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) ++tail;
  const begun = head ? [now[head - 1].replace(/.*;/, "")] : [];
  return [...begun, ...now.slice(head, now.length - tail)].join("\n").replace(/\/\/.*/g, "").replace(/"(?:[^"\\]|\\.)*"/g, '""');
}

/** Of the names, those that what was changed gives a value to: k = 5, k[2](unit = "m") = 5; a state by x(fixed = true, start = 5). */
export function rewritten(before, after, names, isState) {
  const text = written(before, after), subscripts = String.raw`\s*(?:\[[^\]]*\])?`, inner = String.raw`(?:[^()]|\([^()]*\))*`;
  return names.filter(name => {
    const last = name.replace(/\[[^\]]*\]$/, "").split(".").pop().replace(/\W/g, String.raw`\$&`);
    const gives = isState(name) ? String.raw`\s*\(${inner}?\bstart\s*=(?!=)` : String.raw`\s*(?:\(${inner}\))?\s*=(?!=)`;
    return new RegExp(String.raw`(?:^|[^\w.])${last}(?!\w)${subscripts}${gives}`).test(text);
  });
}
