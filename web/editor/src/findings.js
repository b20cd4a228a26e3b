// Findings beside their line while one edits: they move with it, and go once its text is another.
import { MapMode, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, WidgetType, gutterLineClass } from "@codemirror/view";

const place = StateEffect.define();

class Box extends WidgetType {
  constructor(box) {
    super();
    this.box = box;
  }
  eq(other) {
    return other.box === this.box;
  }
  toDOM() {
    const around = document.createElement("div"); // a margin of the box itself would put lines and numbers out of step
    around.className = "beside";
    around.append(this.box.cloneNode(true));
    return around;
  }
  ignoreEvent() {
    return true; // a link in it is a link
  }
}

class HitNumber extends GutterMarker {
  constructor(severity) {
    super();
    this.elementClass = `hit ${severity}`;
  }
}

const field = StateField.define({
  create: () => [],
  update(findings, transaction) {
    for (const effect of transaction.effects) if (effect.is(place)) return effect.value;
    if (!transaction.docChanged || !findings.length) return findings;
    const { doc } = transaction.state;
    return findings.flatMap((finding) => {
      const at = transaction.changes.mapPos(finding.at, 1, MapMode.TrackDel);
      if (at === null) return [];
      const line = doc.lineAt(at);
      return line.from === at && line.text === finding.text ? [{ ...finding, at }] : [];
    });
  },
  provide: (self) => [
    EditorView.decorations.compute([self], (state) =>
      Decoration.set(
        state.field(self).flatMap(({ at, text, severity, box }) => [
          Decoration.line({ class: `hit ${severity}` }).range(at),
          Decoration.widget({ widget: new Box(box), block: true, side: 1 }).range(at + text.length),
        ]),
        true,
      ),
    ),
    gutterLineClass.compute([self], (state) =>
      RangeSet.of(
        state.field(self).map(({ at, severity }) => new HitNumber(severity).range(at)),
        true,
      ),
    ),
  ],
});

export const findings = [field];

// `boxes` are elements that name their line in data-line and their severity in data-severity.
export function placeFindings(view, boxes) {
  const { doc } = view.state;
  const placed = boxes
    .map((box) => ({ box, number: Number(box.dataset.line), severity: box.dataset.severity }))
    .filter(({ number }) => Number.isInteger(number) && number >= 1 && number <= doc.lines)
    .map(({ box, number, severity }) => ({ box, severity, at: doc.line(number).from, text: doc.line(number).text }));
  view.dispatch({ effects: place.of(placed) });
}

export function boxesThatStand(state) {
  return new Map(state.field(field).map(({ box, at }) => [box, at]));
}
