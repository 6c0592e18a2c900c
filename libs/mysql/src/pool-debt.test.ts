import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Debt, type BeginHooks } from './pool-debt.js';
import { ConnectionLost } from './pool-fault.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Begun {
  readonly answer: Promise<string>;
  readonly resolve: (value: string) => void;
  readonly reject: (error: unknown) => void;
  readonly hooks: BeginHooks;
}

function openDebt(): { debt: Debt; told: string[]; begin: () => Begun } {
  const told: string[] = [];
  const debt = new Debt({ onLost: () => told.push('lost'), onSettled: () => told.push('settled'), onOverdue: () => told.push('overdue') });
  const begin = (): Begun => {
    let begun: Omit<Begun, 'answer'> | undefined;
    const answer = debt.begin<string>((resolve, reject, hooks) => void (begun = { resolve, reject, hooks }));
    answer.catch(() => undefined);
    if (begun === undefined) throw new Error('nothing was begun');
    return { answer, ...begun };
  };
  return { debt, told, begin };
}

it('a statement counts as running until its response arrives', async () => {
  const { debt, told, begin } = openDebt();
  const one = begin();
  expect(debt.pending).not.toBeNull();
  one.resolve('rows');
  await expect(one.answer).resolves.toBe('rows');
  expect([debt.pending, debt.gone, told]).toEqual([null, null, ['settled']]);
});

it('it settles once, whichever way the end of the connection is reported first', async () => {
  const { debt, told, begin } = openDebt();
  const one = begin();
  const lost = new ConnectionLost('the server went away');
  debt.cancel(lost);
  one.reject(new Error('the driver says so as well'));
  await expect(one.answer).rejects.toBe(lost);
  expect(told).toEqual(['settled', 'lost']);
});

it('a rejection by the server is distinguished from a lost connection', async () => {
  const { told, begin } = openDebt();
  const one = begin();
  one.reject(new Error('1064'));
  await expect(one.answer).rejects.toThrow('1064');
  expect(told).toEqual(['settled']);
});

it('an error thrown at the start counts as a rejection', async () => {
  const { debt, told } = openDebt();
  await expect(debt.begin(() => {
    throw new Error('cannot be sent');
  })).rejects.toThrow('cannot be sent');
  expect([debt.pending, told]).toEqual([null, ['settled']]);
});

it('a caller may leave, and its statement counts until the server is done with it', async () => {
  const { debt, told, begin } = openDebt();
  const one = begin();
  const clearedUp = vi.fn();
  one.hooks.onLeave(clearedUp);
  if (debt.pending !== null) debt.leave(debt.pending, true);
  await expect(one.answer).rejects.toMatchObject({ isTimeout: true });
  expect(clearedUp).toHaveBeenCalledOnce();
  let isGone = false;
  void debt.gone?.then(() => (isGone = true));
  await vi.advanceTimersByTimeAsync(4_999);
  expect([isGone, debt.pending, told]).toEqual([false, null, ['settled']]);
  one.hooks.ended();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([isGone, debt.gone, told]).toEqual([true, null, ['settled']]);
});

it('an orphaned statement is reported as overdue after five seconds and still counts', async () => {
  const { debt, told, begin } = openDebt();
  begin();
  if (debt.pending !== null) debt.leave(debt.pending, false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual(['settled', 'overdue']);
  expect(debt.gone).not.toBeNull();
  const gone = debt.gone;
  debt.cancel(new ConnectionLost('ended'));
  await expect(gone).resolves.toBeUndefined();
  expect(debt.gone).toBeNull();
});

it('the end of a later statement is not taken for that of an orphaned one', () => {
  const { debt, begin } = openDebt();
  begin();
  if (debt.pending !== null) debt.leave(debt.pending, false);
  const next = begin();
  next.resolve('rows');
  expect(debt.gone).not.toBeNull();
});
