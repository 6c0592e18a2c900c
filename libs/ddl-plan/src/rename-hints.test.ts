import { describe, expect, it } from 'vitest';
import { invertHints, settleHints } from './rename-hints.js';
import type { RenameHint } from './types.js';

const table = (from: string, to: string): RenameHint => ({ kind: 'table', from, to });
const column = (from: string, to: string, of = 't'): RenameHint => ({ kind: 'column', table: of, from, to });

describe('settleHints', () => {
  it('forgets what was renamed there and back', () => {
    const hints = [table('a', 'b'), column('x', 'y', 'b'), column('y', 'z', 'b')];
    expect(settleHints([...hints, ...invertHints(hints)])).toEqual([]);
    expect(settleHints([table('k', 'l'), ...hints, ...invertHints(hints), table('m', 'n')])).toEqual([table('k', 'l'), table('m', 'n')]);
  });
  it('keeps what only looks alike', () => {
    const hints = [column('x', 'y', 'a'), column('y', 'x', 'b'), table('y', 'x'), table('a', 'b'), table('b', 'c')];
    expect(settleHints(hints)).toEqual(hints);
  });
});
