import { StateEffect, StateField, type Extension, type Text } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';

/**
 * The position of an error in a text. Lines and columns start at 1. Without a column it covers the whole
 * line.
 */
export interface TextPlace {
  readonly line: number;
  readonly column?: number | undefined;
}

const setMark = StateEffect.define<{ readonly from: number; readonly to: number } | null>();

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    // An edit after the error was reported may have fixed it.
    let next = transaction.docChanged ? Decoration.none : marks;
    for (const effect of transaction.effects) {
      if (effect.is(setMark)) next = effect.value === null ? Decoration.none : Decoration.set([Decoration.mark({ class: 'cm-fault', attributes: { title: 'The fault is here' } }).range(effect.value.from, effect.value.to)]);
    }
    return next;
  },
  provide: (of) => EditorView.decorations.from(of),
});

/** The editor extension that `markPlace` needs. */
export const faultMark: Extension = [field, EditorView.theme({ '.cm-fault': { backgroundColor: 'var(--rh-brick-soft)', textDecoration: 'underline wavy var(--rh-brick)', textUnderlineOffset: '3px' } })];

export function markPlace(view: EditorView, place: TextPlace | null): void {
  view.dispatch({ effects: setMark.of(place === null ? null : findRange(view.state.doc, place)) });
}

/**
 * Returns the range of the word at the position, or the last character of the line at its end. Returns null
 * if the text has no such position.
 */
function findRange(doc: Text, { line, column }: TextPlace): { from: number; to: number } | null {
  if (line < 1 || line > doc.lines) return null;
  const found = doc.line(line);
  if (found.length === 0) return null;
  if (column === undefined) return { from: found.from, to: found.to };
  const at = Math.min(column - 1, found.length - 1);
  const word = /^[\w$`']+/.exec(found.text.slice(at))?.[0] ?? found.text[at] ?? '';
  return { from: found.from + at, to: found.from + at + Math.max(1, word.length) };
}
