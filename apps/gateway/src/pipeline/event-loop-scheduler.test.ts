import { describe, expect, it, vi } from 'vitest';
import { createLoopTurns } from './loop-turns.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('createLoopTurns', () => {
  it('one slice runs in each iteration of the event loop', async () => {
    const turns = createLoopTurns();
    const went: number[] = [];
    for (let piece = 0; piece < 3; piece += 1) turns.wait('a', () => went.push(piece));
    expect(went).toEqual([]);
    for (let turn = 1; turn <= 3; turn += 1) {
      await nextTurn();
      expect(went).toEqual([0, 1, 2].slice(0, turn));
    }
  });

  it('the owners are served in rotation, no matter how much work one of them has', async () => {
    const turns = createLoopTurns();
    const went: string[] = [];
    for (const owner of ['loud', 'loud', 'loud', 'loud', 'quiet', 'third', 'quiet']) turns.wait(owner, () => went.push(owner));
    for (let turn = 0; turn < 7; turn += 1) await nextTurn();
    expect(went).toEqual(['loud', 'quiet', 'third', 'loud', 'quiet', 'loud', 'loud']);
  });

  it('other owners run between two slices of one owner', async () => {
    const turns = createLoopTurns();
    const order: string[] = [];
    let left = 3;
    const piece = (): void => {
      order.push('piece');
      if ((left -= 1) > 0) turns.wait('a', piece);
    };
    turns.wait('a', piece);
    const other = (): void => {
      order.push('other');
      if (left > 0) setImmediate(other);
    };
    setImmediate(other);
    while (left > 0) await nextTurn();
    expect(order.join(' ')).toMatch(/piece other piece other piece/);
  });

  it('serializing many rows requires a slice', async () => {
    const turns = createLoopTurns();
    expect(turns.turnForRows('a', [{ rowCount: 60 }, { rowCount: 40 }])).toBeNull();
    await expect(turns.turnForRows('a', [{ rowCount: 60 }, { rowCount: 41 }])).resolves.toBeUndefined();
  });

  it('a slice can be awaited as a promise', async () => {
    const turns = createLoopTurns();
    let isOver = false;
    void turns.turn('a').then(() => (isOver = true));
    await Promise.resolve();
    expect(isOver).toBe(false);
    await nextTurn();
    expect(isOver).toBe(true);
  });

  it.each([[0.5, 1.5], [2, 6], [30, 12]])('the loop pauses with active neighbors: a slice of %d ms leads to a pause of %d ms', async (pieceMs, restMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    let nowMs = 0;
    const turns = createLoopTurns(() => nowMs);
    void turns.turnForRows('loud', []);
    void turns.turnForRows('quiet', []);
    turns.wait('loud', () => void (nowMs += pieceMs));
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    const slept = vi.spyOn(globalThis, 'setTimeout');
    turns.wait('loud', () => undefined);
    await nextTurn();
    expect(slept).toHaveBeenCalledExactlyOnceWith(expect.any(Function), restMs);
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('the loop pauses after a slice of an owner with active neighbors, and then continues', async () => {
    let nowMs = 0;
    const turns = createLoopTurns(() => nowMs);
    const went: string[] = [];
    const work = (name: string): void => turns.wait('loud', () => {
      went.push(name);
      nowMs += 8;
    });
    work('alone');
    await nextTurn();
    work('alone again');
    await nextTurn();
    await nextTurn();
    expect(went).toEqual(['alone', 'alone again']);
    void turns.turnForRows('quiet', []);
    work('in company');
    work('later');
    await nextTurn();
    await nextTurn();
    await nextTurn();
    expect(went).toEqual(['alone', 'alone again', 'in company']);
    await expect.poll(() => went).toHaveLength(4);
    // The pause belongs to the previous slice, however long ago that was.
    nowMs += 100_000;
    work('much later');
    await nextTurn();
    expect(went).toHaveLength(5);
  });
});
