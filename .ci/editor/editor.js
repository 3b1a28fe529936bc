// A field of the playground as an editor: colours by language, and marks at mistakes.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// Signatures in each notation, and what a model wrote: JSON with single quotes, comments and prose.
const loose = StreamLanguage.define({
  name: "loose",
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^(?:\/\/|;|--(?!>)|#(?![{"])).*/)) return "comment";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?(?=\s*:(?![\w"]))/) || stream.match(/^[A-Za-z_][\w-]*(?=\s*:(?!\w))/)) return "propertyName";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^'(?:[^'\\\n]|\\.)*'/)) return "string";
    if (stream.match(/^:[A-Za-z][\w./+*!?<>=-]*/)) return "typeName";
    if (stream.match(/^(?:-->|==>|->|=>)/)) return "operator";
    if (stream.match(/^-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return "number";
    if (stream.match(/^(?:true|false|null|nil|None|True|False)\b/)) return "atom";
    if (stream.match(/^[A-Z]\w*/)) return "typeName";
    if (stream.match(/^[A-Za-z_][\w-]*/)) return "variableName";
    if (stream.match(/^[[\]{}()]/)) return "bracket";
    stream.next();
    return null;
  },
});

const LANGUAGES = { python: python(), json: json() };

// Whether *text* is so long, or has so long a line, that its colours would take the page's time.
function isLong(text) {
  if (text.length > 50_000) return true;
  for (const line of text.iterLines()) if (line.length > 2_000) return true;
  return false;
}

// The colours of the theme, light and dark.
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--md-code-hl-keyword-color)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--md-code-hl-string-color)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--md-code-hl-number-color)" },
  { tag: tags.comment, color: "var(--md-code-hl-comment-color)" },
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "var(--md-code-hl-function-color)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName))], color: "var(--md-code-hl-function-color)" },
  { tag: [tags.typeName, tags.className, tags.definition(tags.className)], color: "var(--md-code-hl-constant-color)" },
  { tag: tags.meta, color: "var(--md-code-hl-special-color)" },
  { tag: [tags.operator, tags.punctuation, tags.bracket], color: "var(--md-code-hl-operator-color)" },
]);

// Replaces *textarea* by an editor that has its name, its label and its text.
export function makeEditor(textarea, onInput) {
  const language = new Compartment();
  let chosen = "";
  let plain = false;
  const colour = () => language.reconfigure(plain ? [] : (LANGUAGES[chosen] ?? loose));
  const view = new EditorView({
    state: EditorState.create({
      doc: textarea.value,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        indentUnit.of("    "),
        syntaxHighlighting(colours),
        language.of(loose),
        EditorState.transactionExtender.of((change) => {
          if (!change.docChanged || isLong(change.newDoc) === plain) return null;
          plain = !plain;
          return { effects: colour() };
        }),
        // Tab leaves the field: the page is used with the keyboard alone.
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          id: textarea.id,
          "aria-label": textarea.labels[0]?.textContent ?? "",
          spellcheck: "false",
          autocapitalize: "off",
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.every((each) => each.annotation(Transaction.remote))) onInput();
        }),
      ],
    }),
  });
  view.dom.style.setProperty("--pg-rows", textarea.rows);
  textarea.replaceWith(view.dom);
  return {
    get value() {
      return view.state.doc.toString();
    },
    set value(text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: Transaction.remote.of(true),
      });
    },
    focus: () => view.focus(),
    // Colours the text as Python, as JSON, or as a signature or an answer.
    setLanguage(name) {
      if (name === chosen) return;
      chosen = name;
      view.dispatch({ effects: colour() });
    },
    // Underlines each of *marks*: {from, to, severity, message}.
    mark(marks) {
      const end = view.state.doc.length;
      const within = marks.map((each) => ({ ...each, from: Math.min(each.from, end), to: Math.min(each.to, end) }));
      view.dispatch(setDiagnostics(view.state, within));
    },
  };
}
