import type { RenameHint } from '@rowhouse/ddl-plan';
import { describe, expect, it } from 'vitest';
import { hintsBetween } from './collect-hints.js';

/** `a>b` renames a table; a number restores that revision. */
const read = (text: string): RenameHint[] => (text.includes('>') ? [{ kind: 'table', from: text[0] ?? '', to: text[2] ?? '' }] : []);
const tell = (steps: readonly (string | number)[], after: number, through = steps.length): string[] =>
  hintsBetween(steps.map((step, at) => ({ revision: at + 1, statements: String(step), restores: typeof step === 'number' ? step : null })), after, through, read).map(({ from, to }) => `${from}>${to}`);

describe('hintsBetween', () => {
  it('gathers what the texts say', () => {
    expect(tell(['', 'a>b', '', 'b>c'], 1)).toEqual(['a>b', 'b>c']);
    expect(tell(['', 'a>b', '', 'b>c'], 2, 3)).toEqual([]);
  });
  it('takes back what a restored revision lacks', () => {
    expect(tell(['', 'a>b', 1], 1)).toEqual([]);
    expect(tell(['', 'a>b', 1], 2)).toEqual(['b>a']);
    expect(tell(['', 'a>b', 'k>l', 2, 1], 3)).toEqual(['l>k', 'b>a']);
  });
  it('follows undo, redo and a change behind them', () => {
    expect(tell(['', 'a>b', 1, 2], 1)).toEqual(['a>b']);
    expect(tell(['', 'a>b', 1, 'a>c'], 2)).toEqual(['b>a', 'a>c']);
  });
});
