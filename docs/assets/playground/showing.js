// How answers are shown.  What they contain is text, never markup.

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

const heading = (text) => element("h3", {}, text);
const code = (text, attributes = {}) => element("pre", attributes, element("code", {}, text));

function told(title, lines, kind) {
  if (!lines?.length) return null;
  const items = lines.map((line) => element("li", {}, line));
  return element("div", { class: `pg-told pg-${kind}` }, element("p", {}, title), element("ul", {}, ...items));
}

const printed = (text) => (text ? element("div", {}, heading("Printed"), code(text)) : null);

// Shows the error of an answer in *place*, or hides it if there is none.
export function problem(place, error) {
  place.hidden = !error;
  place.replaceChildren(...(error ? [element("strong", {}, error.title), code(error.text)] : []));
}

export function showSignature(place, found) {
  const names = { shorthand: "shorthand", json: "JSON", python: "Python", malli: "Malli" };
  const left = found.unnamed ? ` ${found.unnamed} more functions and types are not listed.` : "";
  place.replaceChildren(
    ...[
      heading("Signature"),
      code(found.signature, { id: "pg-contract" }),
      heading("Text in the prompt"),
      code(found.prompt),
      told("Hints that the signature leaves out", found.warnings, "warnings"),
      told("Lost while reading", found.losses, "losses"),
      printed(found.printed),
      element("p", { class: "pg-note" }, `Read as ${names[found.kind] ?? found.kind}.${left}`),
    ].filter((part) => part !== null),
  );
}

function row(title, { text, error, losses, findings }) {
  return element(
    "section",
    { class: "pg-row" },
    heading(title),
    error ? element("p", { class: "pg-error" }, error) : null,
    text ? code(text) : null,
    told("Not expressed", losses, "losses"),
    told("The vendor's limits", findings, "warnings"),
  );
}

const whole = (place, answer) => {
  if (!answer.error) return answer.rows;
  const box = element("div", { class: "pg-error" });
  problem(box, answer.error);
  place.replaceChildren(box);
  return null;
};

const TITLES = {
  signature: "Signatures, the usual listing",
  shorthand: "Shorthand",
  compact: "Compact",
  call: "Example calls",
  malli: "Malli, as data",
  edn: "Malli, as EDN",
  json_schema: "JSON Schema",
  gram: "gram",
  gram_path: "gram, path form",
  typescript: "TypeScript",
  python: "Python",
};

export function showNotations(place, answer) {
  const rows = whole(place, answer);
  if (rows) place.replaceChildren(...rows.map((each) => row(TITLES[each.name] ?? each.name, each)));
}

// The vendor whose definitions are shown, or an empty text for all of them.
let vendor = "";

export function showDefinitions(place, answer) {
  const rows = whole(place, answer);
  if (!rows) return;
  const titles = rows.map((each) => each.title ?? each.name);
  const sections = rows.map((each, at) => row(titles[at], each));
  const options = [new Option("all vendors", ""), ...titles.map((title) => new Option(title, title))];
  const picker = element("select", { id: "pg-vendor" }, ...options);
  const label = element("label", { for: "pg-vendor" }, "Show");
  const pick = () => {
    vendor = picker.value;
    sections.forEach((section, at) => (section.hidden = vendor !== "" && titles[at] !== vendor));
  };
  picker.value = titles.includes(vendor) ? vendor : "";
  picker.addEventListener("change", pick);
  pick();
  place.replaceChildren(element("div", { class: "pg-bar" }, label, picker), ...sections);
}

export function showTokens(place, answer) {
  const rows = whole(place, answer);
  if (!rows) return;
  const most = Math.max(1, ...rows.map(({ tokens }) => tokens ?? 0));
  const cell = (value) => element("td", {}, value === undefined ? "" : value.toLocaleString("en"));
  const head = ["Style", "Tokens (estimate)", "Names", "Types", "Prose", "Characters"];
  const body = rows.map((each) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, TITLES[each.name] ?? each.name),
      each.error
        ? element("td", { colspan: "5" }, each.error)
        : element("td", { style: `--share: ${(each.tokens / most).toFixed(3)}`, class: "pg-share" }, each.tokens.toLocaleString("en")),
      ...(each.error ? [] : [cell(each.names), cell(each.types), cell(each.prose), cell(each.characters)]),
    ),
  );
  place.replaceChildren(
    element(
      "p",
      { class: "pg-note" },
      "An estimate: one token for four characters. For the tools of the examples, each style is within 10 % of " +
        "OpenAI's o200k_base; a single tool may differ by 25 %. To count the tokens of your own tools, run " +
        "typesig list --tokens o200k_base.",
    ),
    element(
      "div",
      { class: "pg-scroll" },
      element(
        "table",
        { class: "pg-sizes" },
        element("thead", {}, element("tr", {}, ...head.map((title) => element("th", { scope: "col" }, title)))),
        element("tbody", {}, ...body),
      ),
    ),
  );
}

// Shows why there is no result.
export function showWaiting(place) {
  place.replaceChildren(element("p", { class: "pg-note" }, "Correct the mistake above first."));
}

export function showOutcome(place, answer, found) {
  if (answer === null) {
    const what = found.is_tool ? "the arguments of a call" : "an answer";
    place.replaceChildren(element("p", { class: "pg-note" }, `Write ${what}, as a model would.`));
    return;
  }
  if (answer.error) {
    const box = element("div", { class: "pg-error" });
    problem(box, answer.error);
    place.replaceChildren(box);
    return;
  }
  const verdict = answer.ok ? (answer.warnings.length ? "It fits after repairs" : "It fits") : "It does not fit";
  place.replaceChildren(
    ...[
      element("p", { class: `pg-verdict pg-${answer.ok ? "good" : "wrong"}`, id: "pg-verdict" }, verdict),
      told("Warnings", answer.warnings, "warnings"),
      answer.ok ? heading("Value") : heading("Feedback for the model"),
      code(answer.ok ? answer.value : answer.feedback, { id: answer.ok ? "pg-value" : "pg-feedback" }),
      answer.ok ? null : told("Errors", answer.errors, "errors"),
      answer.result === undefined ? null : heading("Python object"),
      answer.result === undefined ? null : code(answer.result),
      answer.text === undefined ? null : heading("Result for the model"),
      answer.text === undefined ? null : code(answer.text),
      printed(answer.printed),
    ].filter((part) => part !== null),
  );
}
