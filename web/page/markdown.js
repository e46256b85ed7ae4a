// Markdown as elements. What it says is never read as HTML, so that a course of anybody may be opened.
import { Lexer } from "marked";
import { highlighted } from "./editor.js";

const make = (tag, ...parts) => {
  const e = document.createElement(tag);
  e.append(...parts);
  return e;
};
// The lexer leaves entities as they are.
const plain = text => {
  const area = document.createElement("textarea");
  area.innerHTML = text.replaceAll("<", "&lt;");   // of a textarea, whose content is text
  return area.value;
};

function inline(tokens) {
  return (tokens || []).flatMap(t => {
    switch (t.type) {
      case "strong": case "em": case "del": return [make(t.type, ...inline(t.tokens))];
      case "codespan": {
        const code = make("code", t.text);
        if (t.text.length < 30) code.className = "short";
        return [code];
      }
      case "br": return [make("br")];
      case "link": {
        if (!/^(https?:|mailto:|#)/i.test(t.href)) return inline(t.tokens);   // a file beside the text is not here
        const a = make("a", ...inline(t.tokens));
        a.href = t.href;
        if (!t.href.startsWith("#")) { a.target = "_blank"; a.rel = "noopener noreferrer"; }
        return [a];
      }
      case "image": {
        if (!/^(https:|data:image\/)/i.test(t.href)) return [t.text];
        const image = make("img");
        image.src = t.href;
        image.alt = t.text;
        return [image];
      }
      case "text": return t.tokens ? inline(t.tokens) : [plain(t.text)];
      default: return [t.text ?? t.raw];
    }
  });
}

function block(t, level) {
  switch (t.type) {
    case "space": case "def": return [];
    case "heading": return [make("h" + Math.min(t.depth + level, 6), ...inline(t.tokens))];
    case "paragraph": return [make("p", ...inline(t.tokens))];
    case "text": return t.tokens ? inline(t.tokens) : [plain(t.text)];
    case "code": {
      const pre = make("pre", /^modelica\b/.test(t.lang || "") ? highlighted(t.text) : t.text);
      pre.tabIndex = 0;   // it may be wider than the column
      return [pre];
    }
    case "blockquote": return [make("blockquote", ...blocks(t.tokens, level))];
    case "hr": return [make("hr")];
    case "list": {
      const list = make(t.ordered ? "ol" : "ul", ...t.items.map(item => make("li", ...blocks(item.tokens, level))));
      if (t.ordered && t.start !== 1) list.start = t.start;
      return [list];
    }
    case "table": {
      const row = (cells, tag) => make("tr", ...cells.map((c, k) => {
        const cell = make(tag, ...inline(c.tokens));
        if (t.align[k]) cell.style.textAlign = t.align[k];
        return cell;
      }));
      return [make("table", make("thead", row(t.header, "th")), make("tbody", ...t.rows.map(r => row(r, "td"))))];
    }
    default: return [make("p", t.text ?? t.raw)];
  }
}
const blocks = (tokens, level) => tokens.flatMap(t => block(t, level));

/** A text as a fragment; its headings are so many levels lower. */
export function markdown(text, level = 0) {
  const fragment = document.createDocumentFragment();
  fragment.append(...blocks(Lexer.lex(text, { gfm: true }), level));
  return fragment;
}
