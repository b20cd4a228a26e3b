// The site's workshop. Without this script its form is a plain text field, and everything that is sent is the same.
import { Compartment, EditorSelection, EditorState, Prec, Transaction } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore, isolateHistory, redo, undo } from "@codemirror/commands";
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { colours, languageOf } from "./cuda.js";
import { dropDraft, keepDraft, readDraft } from "./drafts.js";
import { boxesThatStand, findings, placeFindings } from "./findings.js";
import { look, shadowOf } from "./look.js";

const INDENT = "    ";
const KEPT_AFTER_MS = 400;

// What the editor's own panels say, by the names that the page gives to these sentences.
const phrases = (words) => ({
  Find: words.find, Replace: words.replace_with, next: words.next, previous: words.previous, all: words.all,
  "match case": words.match_case, regexp: words.regexp, "by word": words.by_word, replace: words.replace,
  "replace all": words.replace_all, close: words.close, "Go to line": words.go_to_line, go: words.go,
  "current match": words.current_match, "on line": words.on_line, "replaced $ matches": words.replaced,
  "replaced match on line $": words.replaced_on_line, "Control character": words.control_character,
  "Selection deleted": words.selection_deleted,
});

const insertIndent = (view) => {
  if (view.state.readOnly) return false;
  if (view.state.selection.ranges.some((range) => !range.empty)) return indentMore(view);
  view.dispatch(
    view.state.changeByRange((range) => {
      const column = range.head - view.state.doc.lineAt(range.head).from;
      const insert = INDENT.slice(column % INDENT.length);
      return { changes: { from: range.head, insert }, range: EditorSelection.cursor(range.head + insert.length) };
    }),
    { scrollIntoView: true, userEvent: "input" },
  );
  return true;
};

// After Escape the next Tab leaves the editor, however long one thinks about it.
function leavingByEscape() {
  let leaving = false;
  const set = (view, to) => {
    if (leaving !== to) view.setTabFocusMode(to);
    leaving = to;
  };
  return Prec.highest(
    EditorView.domEventHandlers({
      keydown(event, view) {
        if (event.key === "Escape") set(view, true);
        else if (event.key !== "Tab" && event.key !== "Shift") set(view, false);
      },
      blur: (_event, view) => set(view, false),
    }),
  );
}

// Replaces the text as one step that can be undone; what stays at both ends keeps its findings and its cursor.
function become(view, text) {
  const old = view.state.doc.toString();
  if (old === text) return;
  let from = 0;
  while (from < old.length && from < text.length && old[from] === text[from]) from++;
  let end = 0;
  const most = Math.min(old.length, text.length) - from;
  while (end < most && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  view.dispatch({
    changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) },
    annotations: [isolateHistory.of("full"), Transaction.userEvent.of("input.replace")],
  });
}

function openWorkshop(form) {
  const area = form.querySelector("textarea");
  const words = JSON.parse(form.dataset.words);
  const { draft: place, again = "" } = form.dataset;
  const part = (name) => form.querySelector(`[data-${name}]`);
  const starter = `${document.querySelector("[data-starter]")?.textContent ?? ""}\n`;
  const boxes = [...form.querySelectorAll(".finding[data-line]")];
  const language = new Compartment();
  const given = area.value.replaceAll("\r\n", "\n");
  let wait;

  const say = (sentence) => (part("said").textContent = sentence);
  const keep = () => {
    clearTimeout(wait);
    wait = undefined;
    const text = view.state.doc.toString();
    if (text.trim() === starter.trim()) dropDraft(place);
    else if (!keepDraft(place, text, again)) say(words.not_kept);
    view.dispatch({ effects: language.reconfigure(languageOf(text)) });
  };
  const handIn = () => {
    form.requestSubmit(part("hand-in"));
    return true;
  };

  const host = document.createElement("div");
  host.className = "codemirror";
  area.before(host);
  const root = shadowOf(host);
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: given,
      extensions: [
        EditorState.lineSeparator.of("\n"),
        EditorState.phrases.of(phrases(words)),
        EditorState.tabSize.of(INDENT.length),
        indentUnit.of(INDENT),
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        // All characters that turn the direction of text are shown, not obeyed.
        highlightSpecialChars({ addSpecialChars: /[\u202a-\u202c\u2068]/ }),
        history(),
        indentOnInput(),
        bracketMatching(),
        search({ top: true }),
        highlightSelectionMatches(),
        leavingByEscape(),
        Prec.highest(keymap.of([{ key: "Mod-Enter", run: handIn }, { key: "Ctrl-Enter", run: handIn }])),
        keymap.of([{ key: "Tab", run: insertIndent, shift: indentLess }]),
        keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
        language.of(languageOf(given)),
        colours,
        look,
        findings,
        EditorView.contentAttributes.of({
          "aria-label": `${words.label} ${words.keys}`,
          autocapitalize: "off",
          tabindex: "0",
          dir: "ltr",
        }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          clearTimeout(wait);
          wait = setTimeout(keep, KEPT_AFTER_MS);
          showJumps();
        }),
      ],
    }),
  });

  const jumps = new Map(
    boxes.map((box) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "small";
      button.addEventListener("click", () => {
        const at = boxesThatStand(view.state).get(box);
        view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
        view.focus();
      });
      return [box, button];
    }),
  );
  const showJumps = () => {
    const standing = boxesThatStand(view.state);
    for (const [box, button] of jumps) {
      button.hidden = !standing.has(box);
      if (!button.hidden) button.textContent = words.line.replace("{n}", view.state.doc.lineAt(standing.get(box)).number);
    }
  };

  // The text field gives way to the editor; what is sent is what stands in it.
  area.hidden = true;
  area.required = false;
  form.classList.add("live");
  form.addEventListener("formdata", (event) => event.formData.set(area.name, view.state.doc.toString()));
  form.addEventListener("submit", keep);
  form.querySelector(`label[for="${area.id}"]`).addEventListener("click", () => view.focus());
  for (const box of boxes) {
    box.remove();
    box.querySelector("[data-at]").remove(); // it stands at its line, whichever number that has by then
  }
  part("jumps")?.append(...jumps.values());
  placeFindings(view, boxes);

  const draft = readDraft(place);
  if (draft && draft.text !== given) {
    const when = new Date(draft.at).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    if (!again || draft.of === again) {
      become(view, draft.text);
      say(words.draft_back.replace("{when}", when));
    } else {
      become(view, draft.text);
      become(view, given);
      placeFindings(view, boxes);
      say(words.draft_below.replace("{when}", when));
    }
    clearTimeout(wait);
    wait = undefined;
  }
  showJumps();
  view.dispatch({ effects: language.reconfigure(languageOf(view.state.doc.toString())) });

  const press = (name, does) => part(name)?.addEventListener("click", does);
  press("undo", () => undo(view));
  press("redo", () => redo(view));
  press("search", () => openSearchPanel(view));
  press("restore", () => {
    become(view, starter);
    say(words.starter_back);
  });
  const keepNow = () => wait !== undefined && keep();
  document.addEventListener("visibilitychange", keepNow);
  addEventListener("pagehide", keepNow);
}

for (const form of document.querySelectorAll("form[data-editor]")) openWorkshop(form);

// On a phone statement and code are one tap apart, and each is found where it was left.
for (const nav of document.querySelectorAll("[data-sides]")) {
  const links = [...nav.querySelectorAll("a")];
  const sides = links.map((link) => document.querySelector(link.hash));
  const left = new Map();
  links.forEach((link, n) =>
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const now = sides.findLast((side) => side.getBoundingClientRect().top < innerHeight / 2) ?? sides[0];
      left.set(now, scrollY);
      if (sides[n] !== now && left.has(sides[n])) scrollTo({ top: left.get(sides[n]), behavior: "instant" });
      else sides[n].scrollIntoView({ behavior: "instant" });
      sides[n].focus({ preventScroll: true });
    }),
  );
}
