// The editor: Modelica with the diagnostics of the compiler, the counts of events beside the lines, and values where the pointer is.
import { EditorState, StateEffect, StateField, RangeSetBuilder } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap, indentWithTab, toggleComment } from "@codemirror/commands";
import { HighlightStyle, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightTree, tags } from "@lezer/highlight";
import { modelica } from "./modelica.js";

const style = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--c4)" }, { tag: tags.typeName, color: "var(--c5)" }, { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--c2)" }, { tag: tags.number, color: "var(--c0)" }, { tag: tags.bool, color: "var(--c0)" },
]);

/** A text that is only read. */
export function highlighted(text) {
  const fragment = document.createDocumentFragment();
  let at = 0;
  highlightTree(modelica.parser.parse(text), style, (from, to, classes) => {
    const part = document.createElement("span");
    part.className = classes;
    part.textContent = text.slice(from, to);
    fragment.append(text.slice(at, from), part);
    at = to;
  });
  fragment.append(text.slice(at));
  return fragment;
}

const setLit = StateEffect.define(), setHits = StateEffect.define();
const lit = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    value = value.map(transaction.changes);
    for (const e of transaction.effects) if (e.is(setLit)) value = e.value;
    return value;
  },
  provide: field => EditorView.decorations.from(field),
});
class Hits extends GutterMarker {
  constructor(count, cut) { super(); this.count = count; this.cut = cut; }
  eq(other) { return other.count === this.count && other.cut === this.cut; }
  toDOM() {
    const e = document.createElement("span");
    e.textContent = `${this.count}${this.cut ? "+" : ""}\u00d7`;
    e.title = `${this.cut ? "At least " : ""}${this.count} event${this.count === 1 ? "" : "s"} here. Click for the next one.`;
    return e;
  }
}
const hits = StateField.define({
  create: () => new Map(),
  update(value, transaction) {
    for (const e of transaction.effects) if (e.is(setHits)) return e.value;
    return transaction.docChanged ? new Map() : value;
  },
});

/** The offset of a place, whose columns count characters, and one beyond 16 bits once. */
function offsetOf(document, line, column) {
  const l = document.line(Math.min(Math.max(line, 1), document.lines));
  let k = 0;
  for (let n = 1; k < l.text.length && n < column; ++n) k += l.text.codePointAt(k) > 0xffff ? 2 : 1;
  return l.from + k;
}

/** onChange(text), onRun(), onLine(line), about(names, line, column): what there is to say of a place, which may be a name of these, or null. */
export function makeEditor(parent, { text = "", onChange, onRun, onLine, about }) {
  const extensions = [
    keymap.of([{ key: "Mod-Enter", run: () => { onRun(); return true; }, preventDefault: true }, { key: "Escape", run: v => { if (v.setTabFocusMode) v.setTabFocusMode(2000); return false; } }, { key: "Mod-/", run: toggleComment }, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
    lineNumbers(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightSelectionMatches({ minSelectionLength: 2 }), indentUnit.of("  "), EditorState.tabSize.of(4), EditorView.lineWrapping,
    modelica, syntaxHighlighting(style), lintGutter(), lit, hits,
    gutter({
      class: "cm-hits",
      lineMarker: (v, block) => {
        const all = v.state.field(hits), count = all.get(v.state.doc.lineAt(block.from).number);
        return count ? new Hits(count, all.cut) : null;
      },
      lineMarkerChange: update => update.startState.field(hits) !== update.state.field(hits),
      domEventHandlers: { click: (v, block) => { onLine(v.state.doc.lineAt(block.from).number); return true; } },
    }),
    hoverTooltip((v, position) => {
      const word = v.state.wordAt(position), line = v.state.doc.lineAt(position), names = [];
      if (word) {
        let from = word.from;
        while (from > line.from && /[\w.\]\[]/.test(line.text[from - 1 - line.from])) --from;
        // Up to where one points, of a name in parts.
        let to = position;
        while (to < word.to && /\w/.test(line.text[to - line.from])) ++to;
        for (const end of [to, word.to]) names.push(v.state.sliceDoc(from, end).replace(/^\.+|\.+$/g, ""));
      }
      const said = about(names, line.number, [...line.text.slice(0, position - line.from)].length + 1);
      if (!said) return null;
      return { pos: word ? word.from : position, end: word ? word.to : position, above: true, create: () => {
        const dom = document.createElement("div");
        dom.className = "cm-value";
        dom.textContent = said;
        return { dom };
      } };
    }, { hideOnChange: true }),
    EditorView.updateListener.of(update => { if (update.docChanged) onChange(update.state.doc.toString()); }),
    EditorView.contentAttributes.of({ "aria-label": "Modelica", "aria-description": "Control Enter runs it. Escape, then Tab leaves the editor." }),
  ];
  let diagnosed = false;   // its marks may be left when the text that they stood at is gone
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
  return {
    view,
    get text() { return view.state.doc.toString(); },
    /** Another text, with nothing of the one before to be undone. */
    open(value) { view.setState(EditorState.create({ doc: value, extensions })); },
    set text(value) { view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value }, selection: { anchor: 0 }, scrollIntoView: true }); },
    diagnose(list, file) {
      const document = view.state.doc;
      if (!list.length && !diagnosed) return;
      diagnosed = list.length > 0;
      view.dispatch(setDiagnostics(view.state, list.filter(d => d.line > 0 && d.file === file).map(d => {
        const from = offsetOf(document, d.line, d.column), to = d.endColumn > d.column ? offsetOf(document, d.line, d.endColumn) : Math.min(from + 1, document.length);
        return { from, to: Math.max(from, to), severity: d.severity === "note" ? "info" : d.severity, message: d.cause + (d.remedy ? "\nremedy: " + d.remedy : "") };
      })));
    },
    light(places) {
      const builder = new RangeSetBuilder();
      const lines = [...new Set(places.map(p => p.line))].filter(l => l >= 1 && l <= view.state.doc.lines).sort((a, b) => a - b);
      for (const l of lines) {
        const line = view.state.doc.line(l);
        builder.add(line.from, line.from, Decoration.line({ class: "cm-lit" }));
        for (const p of places.filter(q => q.line === l && q.strong && q.column).slice(0, 1)) {
          const from = offsetOf(view.state.doc, l, p.column), to = p.end > p.column ? offsetOf(view.state.doc, l, p.end) : line.to;
          if (to > from) builder.add(from, to, Decoration.mark({ class: "cm-place" }));
        }
      }
      if (!lines.length && !view.state.field(lit).size) return;
      const effects = [setLit.of(builder.finish())];
      if (lines.length) effects.push(EditorView.scrollIntoView(view.state.doc.line(lines[0]).from, { y: "nearest", yMargin: 40 }));
      view.dispatch({ effects });
    },
    /** Events by lines; cut: there were more than are known. */
    count(map, cut) {
      const before = view.state.field(hits);
      map.cut = cut;
      if (String([...map]) !== String([...before]) || before.cut !== cut) view.dispatch({ effects: setHits.of(map) });
    },
    goTo(line, column) {
      const at = offsetOf(view.state.doc, line, column);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
  };
}
