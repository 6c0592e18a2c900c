import { StateEffect, StateField, type Extension, type Text } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';

/**
 * The position of an error in a text. Lines and columns start at 1. Without a column, the error concerns the
 * whole line.
 */
export interface TextLocation {
  readonly line: number;
  readonly column?: number | undefined;
}

const setMark = StateEffect.define<{ readonly from: number; readonly to: number } | null>();

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    // If the text was edited after the error was reported, the mark is removed, because the edit may have
    // fixed the error.
    let next = transaction.docChanged ? Decoration.none : marks;
    for (const effect of transaction.effects) {
      if (effect.is(setMark))
        next =
          effect.value === null
            ? Decoration.none
            : Decoration.set([
                Decoration.mark({ class: 'cm-fault', attributes: { title: 'The error is here' } }).range(
                  effect.value.from,
                  effect.value.to,
                ),
              ]);
    }
    return next;
  },
  provide: (of) => EditorView.decorations.from(of),
});

/** The extension of the editor that displays the marks set by `markPlace`. */
export const faultMark: Extension = [
  field,
  EditorView.theme({
    '.cm-fault': {
      backgroundColor: 'var(--rh-brick-soft)',
      textDecoration: 'underline wavy var(--rh-brick)',
      textUnderlineOffset: '3px',
    },
  }),
];

export function markPosition(view: EditorView, position: TextLocation | null): void {
  view.dispatch({ effects: setMark.of(position === null ? null : findRange(view.state.doc, position)) });
}

/**
 * Returns the range of the word at the position. At the end of a line, it is the range of the last character.
 * Returns null if the text has no such position.
 */
function findRange(doc: Text, { line, column }: TextLocation): { from: number; to: number } | null {
  if (line < 1 || line > doc.lines) return null;
  const found = doc.line(line);
  if (found.length === 0) return null;
  if (column === undefined) return { from: found.from, to: found.to };
  const index = Math.min(column - 1, found.length - 1);
  const word = /^[\w$`']+/.exec(found.text.slice(index))?.[0] ?? found.text[index] ?? '';
  return { from: found.from + index, to: found.from + index + Math.max(1, word.length) };
}
