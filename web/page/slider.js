// A slider of a parameter or a start value, with its number and the way back to the model's own value.

const make = (tag, className, text) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
};

/** v: a variable of the model; value: the one at hand, own: the model's. onValue(value), onReset(). What is returned has the element, mark(moved) and
    show(own), for a model that has another value of its own. */
export function makeSlider(v, { value, own, onValue, onReset }) {
  const label = make("label"), name = make("span", "", v.kind === "state" ? `${v.name}(start)` : v.name), slider = make("input");
  const about = v.description || v.name;
  label.title = v.unit ? `${about} [${v.unit}]` : about;
  slider.dataset.name = v.name;
  label.append(name, slider);
  const mark = moved => label.classList.toggle("changed", moved);
  const move = x => { mark(true); onValue(x); };
  let show;
  if (v.type === "Boolean") {
    slider.type = "checkbox";
    slider.addEventListener("change", () => move(slider.checked ? 1 : 0));
    show = x => { slider.checked = !!x; };
    show(value);
  } else {
    const box = make("input"), six = x => Number(Number(x).toPrecision(6));
    slider.type = "range";
    slider.setAttribute("aria-label", name.textContent);
    slider.setAttribute("aria-description", v.description || "");
    box.type = "number";
    box.setAttribute("aria-label", name.textContent + (v.unit ? ` in ${v.unit}` : ""));
    const say = x => { box.value = six(x); slider.setAttribute("aria-valuetext", v.unit ? `${box.value} ${v.unit}` : box.value); };
    const reach = x => {      // around this value
      const far = x === 0 ? 1 : 2 * Math.abs(x);
      slider.min = x <= 0 ? -far : 0;
      slider.max = x < 0 ? 0 : far;
      slider.step = box.step = v.type === "Integer" ? 1 : 10 ** Math.floor(Math.log10((slider.max - slider.min) / 100));   // round values
    };
    const present = x => {
      if (x < slider.min || x > slider.max) reach(x);
      slider.value = x;
      say(x);
    };
    reach(own);
    present(value);
    let last = value;
    show = x => {
      if (document.activeElement === box) return;   // somebody types there
      if (x !== own) reach(x);
      own = last = x;
      present(x);
    };
    slider.addEventListener("input", () => { last = Number(slider.value); say(last); move(last); });
    slider.addEventListener("change", () => { if (slider.value === slider.max || (slider.value === slider.min && slider.value < 0)) reach(last), present(last); });   // there is more
    box.addEventListener("change", () => {
      const x = Number(box.value);
      if (box.value === "" || !Number.isFinite(x)) return present(last);   // no number
      present(last = x);
      move(x);
    });
    label.append(box);
  }
  const reset = make("button", "own", "\u21ba");
  reset.type = "button";
  reset.title = "The model's own value again";
  reset.setAttribute("aria-label", `${name.textContent}: the model's own value again`);
  reset.addEventListener("click", e => { e.preventDefault(); onReset(); });
  label.addEventListener("dblclick", onReset);
  label.append(reset);
  return { element: label, mark, show };
}
