import type { RenameHint } from './types.js';

/** The renames that undo these, in the order in which they do. */
export function invertHints(hints: readonly RenameHint[]): RenameHint[] {
  return [...hints].reverse().map((hint) => ({ ...hint, from: hint.to, to: hint.from }));
}

/** The same renames without those that were taken back at once: there and back again is no rename. */
export function settleHints(hints: readonly RenameHint[]): RenameHint[] {
  const settled: RenameHint[] = [];
  for (const hint of hints) {
    if (isInverse(settled.at(-1), hint)) settled.pop();
    else settled.push(hint);
  }
  return settled;
}

function isInverse(before: RenameHint | undefined, hint: RenameHint): boolean {
  if (before === undefined || before.kind !== hint.kind || before.from !== hint.to || before.to !== hint.from) return false;
  return before.kind === 'table' || (hint.kind === 'column' && before.table === hint.table);
}
