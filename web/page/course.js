// A course: its steps beside the editor, and what the runs say to their questions.
import { markdown } from "./markdown.js";
import { highlighted } from "./editor.js";
import { spoken, told } from "./spoken.js";

const make = (tag, className, text) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
};
const button = (text, act, className = "") => {
  const b = make("button", className, text);
  b.type = "button";
  b.addEventListener("click", act);
  return b;
};

// Code is for the eyes where there are words for it.
const unheard = (e, words) => {
  if (words) e.setAttribute("aria-hidden", "true");
  return e;
};

// A page that is opened from a disk may have no memory.
const memory = {
  has(start) { try { return Object.keys(localStorage).some(key => key.startsWith(start)); } catch (_) { return false; } },
  read(key) { try { return JSON.parse(localStorage.getItem(key)); } catch (_) { return null; } },
  write(key, value) { try { localStorage.setItem(key, JSON.stringify(value)); } catch (_) { /* it is forgotten with the page */ } },
};

/** onStep({ text, stop, tolerance, hysteresis, shown }, number): a step is entered; onText(text): its editor has another text; onClose(). */
export function makeCourse(holder, { onStep, onText, onClose }) {
  let course = null, key = "", at = 0, kept = null;
  let isGuest = false, list = null, verdict = null, body = null, dots = [], next = null;

  const step = () => course.steps[at];
  const of = k => kept.steps[k] || (kept.steps[k] = {});
  const save = () => memory.write(key, { ...kept, at });
  // A step without a model goes on with the text of the one before.
  const firstText = k => course.steps[k].model || (k > 0 ? of(k - 1).text ?? firstText(k - 1) : "");
  const asked = () => course.steps.filter(s => s.checks.length).length;
  const answeredSoFar = () => course.steps.filter((s, k) => s.checks.length && of(k).done).length;

  function mark() {
    dots.forEach((b, k) => {
      const done = !!of(k).done;
      b.classList.toggle("done", done);
      if (k === at) b.setAttribute("aria-current", "step"); else b.removeAttribute("aria-current");
      b.setAttribute("aria-label", `Step ${k + 1}: ${course.steps[k].title}${done ? ", answered" : ""}`);
      b.title = course.steps[k].title;
    });
    if (next) next.classList.toggle("ready", !step().checks.length || !!of(at).done);
  }

  function build() {
    holder.textContent = "";
    const head = make("div", "lesson-head"), foot = make("div", "lesson-foot"), nav = make("nav"), steps = make("ol");
    head.append(make("h2", "", course.title), button("Start over", () => {
      if (!confirm("Forget your texts and answers of this course?")) return;
      kept = { steps: [] };
      go(0);
    }), button("Close", () => close(true)));
    nav.setAttribute("aria-label", "Steps");
    dots = course.steps.map((_, k) => {
      const li = make("li"), b = button(String(k + 1), () => go(k));
      li.append(b);
      steps.append(li);
      return b;
    });
    nav.append(steps);
    body = make("div", "lesson-body");
    body.tabIndex = 0;
    body.setAttribute("role", "region");
    const back = button("Back", () => go(at - 1)), where = make("span", "", "");
    next = button("Next", () => go(at + 1), "next");
    foot.append(back, where, next);
    holder.append(head, nav, body, foot);
    holder.sync = () => {
      back.disabled = at === 0;
      next.disabled = at === course.steps.length - 1;
      where.textContent = `Step ${at + 1} of ${course.steps.length}`;
    };
  }

  function fill() {
    const s = step(), mine = of(at);
    body.textContent = "";
    body.scrollTop = 0;
    body.setAttribute("aria-label", s.title);
    if (at === 0 && course.text) {
      const introduction = make("div", "introduction");
      introduction.append(markdown(course.text, 2));
      body.append(introduction);
    }
    const title = make("h3", "", s.title);
    title.tabIndex = -1;
    body.append(title, markdown(s.text, 2));
    list = verdict = null;
    const tools = make("div", "lesson-tools");
    if (s.checks.length) {
      const question = make("section", "question");
      question.setAttribute("aria-label", "Question");
      question.append(make("h4", "", "What the run has to show"));
      list = make("ul");
      for (const c of s.checks) {
        const li = make("li", "open"), sign = make("span", "sign"), words = make("span", "words"), found = make("span", "found");
        const said = c.words || spoken(c.condition);
        if (said) words.append(said);
        if (!c.words) words.append(said ? " " : "", unheard(make("code", "", c.condition), said));
        li.title = c.condition;
        li.append(sign, words, found);
        list.append(li);
      }
      verdict = make("p", "verdict");
      verdict.setAttribute("role", "status");
      question.append(list, verdict);
      if (s.hints.length) {
        const hints = make("div", "hints"), more = button("", () => { mine.hints = (mine.hints || 0) + 1; save(); showHints(); });
        hints.setAttribute("aria-live", "polite");
        const showHints = () => {
          const n = Math.min(mine.hints || 0, s.hints.length);
          while (hints.children.length < n) {
            const hint = make("div", "hint");
            hint.append(markdown(s.hints[hints.children.length], 2));
            hints.append(hint);
          }
          more.textContent = n === 0 ? "Hint" : "Next hint";
          more.disabled = n === s.hints.length;
        };
        showHints();
        question.append(hints);
        tools.append(more);
      }
      tools.append(again());
      if (mine.before) tools.append(button("Your text of before", () => { const text = mine.before; delete mine.before; onText(text); }));
      if (s.solution) {
        const solution = make("div", "solution"), pre = make("pre");
        pre.tabIndex = 0;
        pre.append(highlighted(s.solution.trimEnd()));
        solution.append(pre, button("Put it into the editor", () => onText(s.solution)));
        solution.hidden = true;
        const show = button("Solution", () => {
          solution.hidden = !solution.hidden;
          show.setAttribute("aria-expanded", String(!solution.hidden));
          if (!solution.hidden) solution.scrollIntoView({ block: "nearest" });
        });
        show.setAttribute("aria-expanded", "false");
        tools.append(show);
        question.append(tools, solution);
      } else {
        question.append(tools);
      }
      body.append(question);
      say(mine.done ? "Answered before. Run it again to see how." : "");
    } else {
      tools.append(again());
      body.append(tools);
    }
  }
  function again() {
    const b = button("Again", () => { onText(firstText(at)); });
    b.title = "Bring the step's own model back";
    return b;
  }
  function say(text, good = false) {
    if (!verdict) return;
    if (verdict.textContent !== text) verdict.textContent = text;
    verdict.classList.toggle("good", good);
  }

  function go(k, focus = true) {
    isGuest = false;
    at = Math.min(Math.max(k, 0), course.steps.length - 1);
    const s = step(), text = of(at).text ?? firstText(at);
    fill();
    mark();
    holder.sync();
    save();
    onStep({ text, stop: s.stop ?? undefined, tolerance: s.tolerance ?? undefined, hysteresis: s.hysteresis ?? undefined, shown: s.shown }, at + 1);
    if (focus) holder.querySelector("h3").focus({ preventScroll: false });
  }

  function close(told) {
    if (!course) return;
    course = null;
    holder.hidden = true;
    holder.textContent = "";
    document.body.classList.remove("course");
    if (told) onClose();
  }

  return {
    /** number: of a step, from 1; 0: where the reader was. */
    open(given, number, focus) {
      course = given;
      key = `mosim course ${given.file} ${given.title}`;
      const read = memory.read(key);
      kept = read && Array.isArray(read.steps) ? { steps: read.steps.map(s => s && typeof s === "object" ? s : {}), at: Number(read.at) || 0 } : { steps: [], at: 0 };
      holder.hidden = false;
      document.body.classList.add("course");
      build();
      go(number ? number - 1 : kept.at, focus);
    },
    close,
    go,
    get isOpen() { return course !== null; },
    hasBegun: file => memory.has(`mosim course ${file} `),
    get file() { return course ? course.file : ""; },
    get title() { return course ? course.title : ""; },
    get step() { return course && step(); },
    get at() { return course ? at + 1 : 0; },
    /** What is shown now came with a link: nothing of the reader's own is replaced before it is changed, and even then it can be had again. */
    guest() { isGuest = true; },
    edited(text) {
      if (!course) return;
      const own = of(at).text;
      if (isGuest && own !== undefined && own !== text) of(at).before = own;
      isGuest = false;
      if (text === firstText(at)) delete of(at).text; else of(at).text = text;
      save();
    },
    /** What a run of this step said; null: there was none. `instead` is why it is no answer, even if all of it holds; `broken`: whatever holds. */
    answered(answers, instead = "", broken = false) {
      if (!list) return;
      [...list.children].forEach((li, k) => {
        const a = answers && answers[k], sign = li.querySelector(".sign");
        li.className = a ? (a.holds ? "holds" : "fails") : "open";
        sign.textContent = a ? (a.holds ? "\u2713" : "\u2717") : "\u25cb";
        sign.setAttribute("role", "img");
        sign.setAttribute("aria-label", a ? (a.holds ? "holds:" : "does not hold:") : "open:");
        const found = li.querySelector(".found"), text = a ? a.problem || a.found : "", words = a && !a.problem ? told(text) : "";
        found.textContent = "";
        if (text) found.append(unheard(make("span", "", text), words), ...(words ? [make("span", "heard", `(${words})`)] : []));
      });
      if (!answers || broken) return say(instead);
      const good = answers.filter(a => a.holds).length, all = answers.length;
      if (good < all) return say(good ? `${good} of ${all} hold.` : all === 1 ? "It does not hold yet." : "None of them holds yet.");
      if (instead) return say(instead);
      of(at).done = true;
      save();
      mark();
      const done = answeredSoFar(), n = asked();
      say(done === n ? `Right. That was the last one: all ${n} questions are answered.` : `Right. ${done} of ${n} questions are answered.`, true);
    },
  };
}
