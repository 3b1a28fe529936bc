// The page: what is written in it is asked of Python as one types, and the answers are shown.

import { fromFragment, toFragment } from "./link.js";
import { Python, Stopped } from "./python.js";
import { problem, showDefinitions, showNotations, showOutcome, showSignature, showTokens, showWaiting } from "./showing.js";
import { makeTabs } from "./tabs.js";

// Milliseconds without a key before Python is asked.
const QUIET = 300;

const TRY_AGAIN = "Change something to try again.";

const at = (id) => document.getElementById(`pg-${id}`);
const VIEWS = { notations: showNotations, definitions: showDefinitions, tokens: showTokens };

let version = "";
// Whether Python in the field may run: not if it came with a link, until its reader says so.
let trusted = true;
// What is open in the worker, as asked, and the views of it that are shown.
let open = null;
let shown = new Set();
let read = null;
// What was read when the worker was stopped, which is not asked again, and why it was.
let endless = null;
let examples = [];
// The version that made the link which was opened.
let linked = "";

// Choices of a link, until they are offered.
let wanted = {};
let timer = null;
let running = false;
let again = false;

const python = new Python((told) => {
  if (told.loading) say(`Loading ${told.loading}…`, true);
  if (told.broken) say(`The playground cannot start: ${told.broken}`, false, true);
  if (told.ready) {
    version = told.ready.version;
    at("version").textContent = `typesig ${version}, Python ${told.ready.python}`;
    compareVersions();
    say("Ready.");
  }
});
// An editor for each text, or the plain field of the page if the site has no editor.
const { makeEditor } = await import("./parts/editor.js").catch(() => ({ makeEditor: keepField }));
const fields = {
  kind: at("kind"),
  source: makeEditor(at("source"), soon),
  name: at("name"),
  sent: makeEditor(at("sent"), soon),
  mode: at("mode"),
  form: at("form"),
};
const tabs = makeTabs(document.querySelector(".pg-tabs"), () => refresh());

function say(text, busy = false, bad = false) {
  at("status").textContent = text;
  at("status").classList.toggle("pg-busy", busy);
  at("status").classList.toggle("pg-bad", bad);
}

function keepField(field, onInput) {
  field.addEventListener("input", onInput);
  return Object.assign(field, { setLanguage() {}, mark() {} });
}

function state() {
  const texts = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
  return { ...texts, call: at("call").checked && !at("calls").hidden };
}

// asking

function soon() {
  clearTimeout(timer);
  timer = setTimeout(refresh, QUIET);
}

async function refresh() {
  clearTimeout(timer);
  // A link is of what the page had when it was made.
  if (at("link").dataset.of !== JSON.stringify(state())) at("shared").hidden = true;
  again = true;
  if (running) return;
  running = true;
  try {
    while (again) {
      again = false;
      await step(state());
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    // What is written next is asked of another worker.
    problem(at("problem"), { title: "Stopped", text: `${error.message} ${TRY_AGAIN}` });
  } finally {
    running = false;
  }
  if (again) refresh();
}

// Asks for what differs from what is shown.
async function step(now) {
  const source = JSON.stringify([now.kind, now.source, now.name]);
  if (open?.source !== source || (open.session !== python.session && !open.stopped)) {
    await reopen(now, source);
    return;
  }
  if (!open.found) return;
  const view = tabs.chosen();
  if (view in VIEWS && !shown.has(view)) {
    VIEWS[view](at(view), await python.ask({ do: view }));
    shown.add(view);
  }
  const { sent, mode, form, call } = now;
  const asked = JSON.stringify([sent, mode, form, call]);
  if (read === asked) return;
  read = asked;
  const answer = await outcomeOf({ do: "read", sent, mode, form, call }, source + asked);
  showOutcome(at("outcome"), answer, open.found);
  if (fields.sent.value === sent) fields.sent.mark(answer?.marks ?? []);
}

async function outcomeOf(request, asked) {
  if (!request.sent.trim()) return null;
  try {
    if (endless?.asked !== asked) return await python.ask(request);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    endless = { asked, why: error.message };
  }
  return { error: { title: "Stopped", text: `${endless.why} ${TRY_AGAIN}` } };
}

async function reopen(now, source) {
  const { kind, name } = now;
  open = { source, session: python.session, stopped: true, found: null };
  at("columns").setAttribute("aria-busy", "true");
  try {
    const needs = await python.ask({ do: "needs", kind, source: now.source });
    fields.source.setLanguage(needs.kind);
    const waits = needs.kind === "python" && !trusted;
    at("ask").hidden = !waits;
    if (waits) {
      forget();
      say("Press Run it to run the Python code of this link.");
      return;
    }
    const session = python.session;
    const found = await python.ask({ do: "open", kind, source: now.source, name }, needs.modules);
    say("Ready.");
    open = { source, session, stopped: false, found: found.error ? null : found };
    if (found.error) forget(true);
    problem(at("problem"), found.error);
    if (fields.source.value === now.source) fields.source.mark(found.error?.marks ?? []);
    if (!found.error) show(found, now);
  } catch (error) {
    forget();
    throw error;
  } finally {
    at("columns").removeAttribute("aria-busy");
  }
}

function show(found, now) {
  offer(found);
  showSignature(at("signature"), found);
  // The name that is chosen now may differ from the one that was asked for.
  open.source = JSON.stringify([now.kind, now.source, fields.name.value]);
  // A view that is not seen is made when it is; the others change in place.
  for (const view of Object.keys(VIEWS)) if (view !== tabs.chosen()) at(view).replaceChildren();
  shown = new Set();
  read = null;
  again = true;
}

// Leaves nothing on the page of what was open before.
function forget(isWrong = false) {
  shown = new Set();
  read = null;
  problem(at("problem"), null);
  fields.source.mark([]);
  fields.sent.mark([]);
  for (const view of ["signature", ...Object.keys(VIEWS)]) at(view).replaceChildren();
  if (isWrong) showWaiting(at("outcome"));
  else at("outcome").replaceChildren();
}

// Offers what is in what is pasted, and what can be done with it.
function offer(found) {
  choose(fields.name, found.names.map((name) => [name, name]), found.name);
  at("names").hidden = found.names.length < 2;
  choose(fields.form, found.forms, wanted.form ?? fields.form.value);
  choose(fields.mode, found.modes.map((mode) => [mode, mode]), wanted.mode ?? fields.mode.value);
  at("calls").hidden = !found.can_call;
  wanted = {};
}

function choose(select, options, value) {
  select.replaceChildren(...options.map(([name, title]) => new Option(title, name)));
  const known = options.some(([name]) => name === value);
  select.value = known ? value : (options[0]?.[0] ?? "");
}

// what is in the fields

function restore(given) {
  fields.kind.value = given.kind || "guess";
  if (fields.kind.selectedIndex < 0) fields.kind.value = "guess";
  fields.source.setLanguage(guessLanguage(given.source));
  fields.source.value = given.source;
  fields.sent.value = given.sent;
  choose(fields.name, given.name ? [[given.name, given.name]] : [], given.name);
  at("call").checked = given.call === true;
  wanted = { form: given.form ?? "signature", mode: given.mode ?? "enabled" };
  refresh();
}

// The language of a text until Python has read it, for its colours.
function guessLanguage(text) {
  if (/^\s*[{[]/.test(text)) return /^\s*(?:\{|\[\s*\{)\s*"/.test(text) ? "json" : "signature";
  return /^(?:from|import|def|class|@)/m.test(text) ? "python" : "signature";
}

async function fromLink() {
  let given;
  try {
    given = await fromFragment(location.hash.slice(1));
  } catch (error) {
    say(`This link cannot be read: ${error.message}.`, false, true);
    return false;
  }
  if (given === null) return false;
  trusted = false;
  restore(given);
  linked = given.version;
  compareVersions();
  return true;
}

function compareVersions() {
  const differs = linked !== "" && version !== "" && linked !== version;
  at("made").hidden = !differs;
  at("made").textContent = differs
    ? `The link was made with typesig ${linked}; this page runs typesig ${version}.`
    : "";
}

async function copy() {
  let fragment;
  try {
    fragment = await toFragment({ ...state(), version });
  } catch (error) {
    say(`No link: ${error.message}`, false, true);
    return;
  }
  const link = new URL(`#${fragment}`, location.href).href;
  history.replaceState(null, "", link);
  at("shared").hidden = false;
  at("link").value = link;
  at("link").dataset.of = JSON.stringify(state());
  try {
    await navigator.clipboard.writeText(link);
    say(`The link is copied: ${link.length.toLocaleString("en")} characters.`);
  } catch {
    at("link").focus();
    at("link").select();
    say("Copy the link below: your browser does not allow this page to copy it.");
  }
}

for (const name of ["kind", "name", "mode", "form"]) fields[name].addEventListener("input", refresh);
at("call").addEventListener("input", refresh);
at("copy").addEventListener("click", copy);
at("run").addEventListener("click", () => {
  trusted = true;
  open = null;
  fields.source.focus();
  refresh();
});
at("example").addEventListener("change", () => {
  trusted = true;
  restore(examples[at("example").selectedIndex]);
});
window.addEventListener("hashchange", fromLink);

examples = await (await fetch(new URL("examples.json", import.meta.url))).json();
choose(at("example"), examples.map(({ title }) => [title, title]), examples[0].title);
if (!(await fromLink())) restore(examples[0]);
