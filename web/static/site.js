// What pages gain with JavaScript: a button that says it is busy, and progress that comes by itself.
"use strict";

for (const form of document.querySelectorAll("form[data-busy]")) {
  form.addEventListener("submit", () => {
    const button = form.querySelector("button");
    button.textContent = form.dataset.busy;
    button.setAttribute("aria-busy", "true");
  });
}

// A page taken from the browser's memory shows its forms as they were when they were sent.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && document.querySelector("[aria-busy]")) location.reload();
});

// On a phone the menu is wider than the window.
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

const preparing = document.querySelector("[data-preparing]");
if (preparing) {
  const look = setInterval(async () => {
    const answer = await fetch(preparing.dataset.preparing).catch(() => null);
    if (!answer?.ok) return;
    const { text } = await answer.json();
    preparing.textContent = text || preparing.dataset.ready;
    if (!text) clearInterval(look);
  }, 2000);
}

const live = document.querySelector("[data-live]");
if (live) {
  const stream = new EventSource(live.dataset.live);
  stream.addEventListener("progress", (event) => {
    const { stage, text } = JSON.parse(event.data);
    live.querySelector("[data-live-text]").textContent = text;
    for (const item of live.querySelectorAll("[data-stage]")) item.classList.toggle("now", item.dataset.stage === stage);
  });
  // A browser comes back to a stream that broke, but not to one that was refused.
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000);
  });
  stream.addEventListener("verdict", () => {
    stream.close();
    location.reload();
  });
}

// An answer that a language model adds to: each sentence as it was checked; the page anew, with its sources, at the end.
const composing = document.querySelector("[data-composing]");
if (composing) {
  const stream = new EventSource(composing.dataset.composing);
  const paragraph = composing.querySelector("p");
  stream.addEventListener("sentences", (event) => {
    const { sentences } = JSON.parse(event.data);
    paragraph.replaceChildren(
      ...sentences.flatMap(({ text, citation }) => {
        const cite = document.createElement("a");
        cite.className = "cite";
        cite.href = `#source-${citation}`;
        cite.textContent = `[${citation}]`;
        return [`${text} `, cite, " "];
      }),
    );
  });
  const end = () => {
    stream.close();
    if (paragraph.hasChildNodes()) location.reload();
    else composing.remove();
  };
  stream.addEventListener("whole", end);
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) end();
  });
}
