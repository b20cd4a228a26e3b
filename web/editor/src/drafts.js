// Drafts, kept by the browser alone: one for each problem and member. The page names the place; a browser that keeps
// nothing (a private window, a full store) is no reason to fail.
export function readDraft(name) {
  try {
    const draft = JSON.parse(localStorage.getItem(name));
    return typeof draft?.text === "string" && typeof draft.at === "number" ? draft : null;
  } catch {
    return null;
  }
}

// Tells whether it could be kept. `of` is the submission that it goes on from, if any.
export function keepDraft(name, text, of) {
  try {
    localStorage.setItem(name, JSON.stringify({ text, of, at: Date.now() }));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // then there is none either
  }
}
