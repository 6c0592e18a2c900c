import type { AdminConnection } from '@rowhouse/mysql';
import { describe, expect, it } from 'vitest';
import { createLazyConnection, type LazyConnection } from './lazy-connection.js';

interface Session {
  readonly no: number;
  isLost: boolean;
  isClosed: boolean;
}

/**
 * Creates a lazy connection and lists its sessions in the order in which they are opened. `answer` is awaited
 * while a session is opened.
 */
function makeLazy(answer: () => Promise<void> = async () => undefined): {
  lazy: LazyConnection;
  sessions: Session[];
  numberOf: (connection: AdminConnection) => number;
} {
  const sessions: Session[] = [];
  const lazy = createLazyConnection(async () => {
    await answer();
    const session: Session = { no: sessions.length + 1, isLost: false, isClosed: false };
    sessions.push(session);
    return {
      threadId: session.no,
      isLost: () => session.isLost,
      close: async () => void (session.isClosed = true),
    } as AdminConnection;
  });
  return { lazy, sessions, numberOf: (connection) => connection.threadId };
}

describe('a lazy connection', () => {
  it('concurrent callers share one lazy connection', async () => {
    const { lazy, sessions, numberOf } = makeLazy();
    const [adminConnection, other] = await Promise.all([lazy.get(), lazy.get()]);
    expect([numberOf(adminConnection), numberOf(other), numberOf(await lazy.get()), sessions.length]).toEqual(
      [1, 1, 1, 1],
    );
  });

  it('a lost lazy connection is closed and reopened once', async () => {
    const { lazy, sessions, numberOf } = makeLazy();
    await lazy.get();
    (sessions[0] as Session).isLost = true;
    const [adminConnection, other] = await Promise.all([lazy.get(), lazy.get()]);
    expect([numberOf(adminConnection), numberOf(other)]).toEqual([2, 2]);
    expect(sessions.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it('a lazy connection that failed is opened again by the next caller', async () => {
    const outcomes = [async (): Promise<void> => Promise.reject(new Error('away'))];
    const { lazy, numberOf } = makeLazy(() => outcomes.shift()?.() ?? Promise.resolve());
    await expect(lazy.get()).rejects.toThrow('away');
    expect(numberOf(await lazy.get())).toBe(1);
  });

  it('closing a lazy connection while it opens closes its session', async () => {
    let arrive: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => (arrive = resolve));
    const { lazy, sessions, numberOf } = makeLazy(() => arrival);
    const coming = lazy.get();
    const closing = lazy.close();
    arrive();
    await Promise.all([coming, closing]);
    expect(sessions.map(({ isClosed }) => isClosed)).toEqual([true]);
    expect(numberOf(await lazy.get())).toBe(2);
  });
});
