// Modelica for the editor: words, strings, comments and numbers (MLS 2.3).
import { StreamLanguage } from "@codemirror/language";

const words = text => new Set(text.split(" "));
const keywords = words("algorithm and annotation block break class connect connector constant constrainedby der discrete each else elseif elsewhen encapsulated end enumeration equation expandable extends external false final flow for function if import impure in initial inner input loop model not operator or outer output package parameter partial protected public pure record redeclare replaceable return stream then true type when while within");
const builtins = words("Real Integer Boolean String Clock StateSelect AssertionLevel abs acos actualStream array asin assert atan atan2 backSample ceil change cos cosh delay div edge exp fill floor hold homotopy inStream initial integer interval linspace log log10 matrix max min mod ndims noClock noEvent ones pre previous product reinit rem sample scalar semiLinear shiftSample sign sin sinh size smooth spatialDistribution sqrt subSample sum superSample symmetric tan tanh terminal terminate transpose vector zeros time");

export const modelica = StreamLanguage.define({
  name: "modelica",
  startState: () => ({ inside: null }),
  token(stream, state) {
    if (state.inside === "comment") {
      if (stream.skipTo("*/")) { stream.match("*/"); state.inside = null; } else stream.skipToEnd();
      return "comment";
    }
    if (state.inside === "string" || stream.peek() === '"') {
      if (state.inside !== "string") stream.next();
      state.inside = "string";
      for (let c; (c = stream.next()) !== undefined;) {
        if (c === "\\") stream.next();
        else if (c === '"') { state.inside = null; break; }
      }
      return "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//")) { stream.skipToEnd(); return "comment"; }
    if (stream.match("/*")) { state.inside = "comment"; return "comment"; }
    if (stream.match(/^\d+(\.\d*)?([eE][-+]?\d+)?/) || stream.match(/^\.\d+([eE][-+]?\d+)?/)) return "number";
    if (stream.match(/^'([^'\\]|\\.)*'/)) return "variableName";
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (word) return keywords.has(word[0]) ? (word[0] === "true" || word[0] === "false" ? "bool" : "keyword") : builtins.has(word[0]) ? "typeName" : "variableName";
    stream.next();
    return "operator";
  },
  languageData: { wordChars: ".", commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
});
