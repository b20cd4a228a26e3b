// The editor lives in a shadow tree: there its own styles need no leave from the content security policy. The site's
// sheet is adopted as well, so that findings, fields and buttons look in it as they do around it.
import { EditorView } from "@codemirror/view";

export function shadowOf(host) {
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  const rules = [...document.styleSheets].flatMap((one) => [...one.cssRules]);
  sheet.replaceSync(rules.map((rule) => rule.cssText).join("\n"));
  root.adoptedStyleSheets = [sheet];
  return root;
}

const SEVERITIES = { error: ["--bad-soft", "--bad"], warning: ["--warn-soft", "--warn"], hint: ["--accent-soft", "--accent"] };
const hits = Object.entries(SEVERITIES).map(([severity, [soft, full]]) => [
  `& .hit.${severity}`,
  { backgroundColor: `var(${soft})`, boxShadow: `inset 4px 0 var(${full})` },
]);

export const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--card)", borderRadius: "12px" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { font: "inherit", lineHeight: "1.55", borderRadius: "12px" },
  ".cm-content": { caretColor: "var(--ink)", padding: ".6rem 0" },
  ".cm-content:focus-visible": { outline: "none" },
  ".cm-line": { padding: "0 1rem 0 .6rem", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--soft)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.6rem", padding: "0 .6rem 0 .4rem" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--sunk) 60%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--sunk)", color: "var(--ink)" },
  ".cm-content ::selection, .cm-content::selection": { backgroundColor: "var(--mark)", color: "var(--mark-ink)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--mark)", color: "var(--mark-ink)" },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--bad-soft)", color: "var(--bad)" },
  ".cm-searchMatch": { backgroundColor: "var(--mark)", color: "var(--mark-ink)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--accent)", color: "var(--accent-ink)" },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-soft)" },
  ".cm-specialChar": { color: "var(--bad)" },
  ".cm-panels": { backgroundColor: "var(--sunk)", color: "var(--ink)", borderColor: "var(--line)", font: ".9rem/1.5 var(--sans)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)", borderRadius: "12px 12px 0 0" },
  ".cm-panel.cm-search, .cm-panel.cm-gotoLine": { padding: ".5rem 2.4rem .5rem .6rem" },
  ".cm-panel.cm-search label": { fontSize: ".85rem", fontWeight: "500" },
  ".cm-panel.cm-search input[type=checkbox]": { width: "auto" },
  ".cm-textfield, .cm-panel .cm-textfield": {
    width: "12rem", maxWidth: "100%", minHeight: "2rem", padding: ".15rem .5rem", fontSize: ".9rem",
    backgroundColor: "var(--card)", border: "1px solid var(--soft)", borderRadius: "7px",
  },
  ".cm-button, .cm-panel .cm-button": {
    minHeight: "2rem", padding: ".15rem .7rem", fontSize: ".85rem", fontWeight: "500", backgroundImage: "none",
    backgroundColor: "var(--card)", border: "1px solid var(--line)", borderRadius: "7px", color: "var(--link)",
  },
  ".cm-panel.cm-search [name=close], .cm-dialog-close": {
    minHeight: "2rem", width: "2rem", padding: "0", top: ".4rem", right: ".4rem", fontSize: "1.2rem", border: "none", color: "var(--ink)",
  },
  // As wide as what is seen of the code: neither makes it wider nor goes with it when it is scrolled aside.
  ".beside": { padding: ".3rem 0 .5rem .6rem", width: "0", minWidth: "100%" },
  ".finding": { whiteSpace: "normal", margin: "0", width: "min(46rem, calc(100cqw - 5.5rem))", position: "sticky", left: "4.2rem" },
  "&:not(.cm-focused) .cm-activeLine, &:not(.cm-focused) .cm-activeLineGutter": { backgroundColor: "transparent" },
  ...Object.fromEntries(hits),
});
