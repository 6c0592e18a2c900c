import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OrphanedStatements, type BeginHooks } from './orphaned-statements.js';
import { ConnectionLostError } from '../faults.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Started {
  readonly answer: Promise<string>;
  readonly resolve: (value: string) => void;
  readonly reject: (error: unknown) => void;
  readonly hooks: BeginHooks;
}

function openOrphanedStatements(): {
  orphanedStatements: OrphanedStatements;
  reported: string[];
  begin: () => Started;
} {
  const messages: string[] = [];
  const orphaned = new OrphanedStatements({
    onLost: () => messages.push('lost'),
    onSettled: () => messages.push('settled'),
    onOverdue: () => messages.push('overdue'),
  });
  const begin = (): Started => {
    let started: Omit<Started, 'answer'> | undefined;
    const answer = orphaned.begin<string>(
      (resolve, reject, hooks) => void (started = { resolve, reject, hooks }),
    );
    answer.catch(() => undefined);
    if (started === undefined) throw new Error('nothing was begun');
    return { answer, ...started };
  };
  return { orphanedStatements: orphaned, reported: messages, begin };
}

it('a statement counts as running until its response arrives', async () => {
  const { orphanedStatements: orphaned, reported: messages, begin } = openOrphanedStatements();
  const item = begin();
  expect(orphaned.pending).not.toBeNull();
  item.resolve('rows');
  await expect(item.answer).resolves.toBe('rows');
  expect([orphaned.pending, orphaned.orphanEnded, messages]).toEqual([null, null, ['settled']]);
});

it('a statement rejects once if both the connection and the driver report the loss', async () => {
  const { orphanedStatements: orphaned, reported: messages, begin } = openOrphanedStatements();
  const item = begin();
  const lost = new ConnectionLostError('the server went away');
  orphaned.cancel(lost);
  item.reject(new Error('the driver says so as well'));
  await expect(item.answer).rejects.toBe(lost);
  expect(messages).toEqual(['settled', 'lost']);
});

it('only a lost connection marks the session as lost, and a rejected statement does not', async () => {
  const { reported: messages, begin } = openOrphanedStatements();
  const item = begin();
  item.reject(new Error('1064'));
  await expect(item.answer).rejects.toThrow('1064');
  expect(messages).toEqual(['settled']);
});

it('an error thrown while a statement starts rejects the statement', async () => {
  const { orphanedStatements: orphaned, reported: messages } = openOrphanedStatements();
  await expect(
    orphaned.begin(() => {
      throw new Error('cannot be sent');
    }),
  ).rejects.toThrow('cannot be sent');
  expect([orphaned.pending, messages]).toEqual([null, ['settled']]);
});

it('a statement whose caller left stays orphaned until the server is done with it', async () => {
  const { orphanedStatements: orphaned, reported: messages, begin } = openOrphanedStatements();
  const item = begin();
  const clearedUp = vi.fn();
  item.hooks.onLeave(clearedUp);
  if (orphaned.pending !== null) orphaned.leave(orphaned.pending, true);
  await expect(item.answer).rejects.toMatchObject({ isTimeout: true });
  expect(clearedUp).toHaveBeenCalledOnce();
  let isRemoved = false;
  void orphaned.orphanEnded?.then(() => (isRemoved = true));
  await vi.advanceTimersByTimeAsync(4_999);
  expect([isRemoved, orphaned.pending, messages]).toEqual([false, null, ['settled']]);
  item.hooks.ended();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([isRemoved, orphaned.orphanEnded, messages]).toEqual([true, null, ['settled']]);
});

it('an orphaned statement is reported as overdue after five seconds and still counts', async () => {
  const { orphanedStatements: orphaned, reported: messages, begin } = openOrphanedStatements();
  begin();
  if (orphaned.pending !== null) orphaned.leave(orphaned.pending, false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(messages).toEqual(['settled', 'overdue']);
  expect(orphaned.orphanEnded).not.toBeNull();
  const disconnected = orphaned.orphanEnded;
  orphaned.cancel(new ConnectionLostError('ended'));
  await expect(disconnected).resolves.toBeUndefined();
  expect(orphaned.orphanEnded).toBeNull();
});

it('the end of a later statement does not end an orphaned statement', () => {
  const { orphanedStatements: orphaned, begin } = openOrphanedStatements();
  begin();
  if (orphaned.pending !== null) orphaned.leave(orphaned.pending, false);
  const next = begin();
  next.resolve('rows');
  expect(orphaned.orphanEnded).not.toBeNull();
});
