import type { AdminConnection } from '@rowhouse/mysql';
import { describe, expect, it } from 'vitest';
import { createLazyConnection, type LazyConnection } from './lazy-connection.js';

interface Session {
  readonly no: number;
  isLost: boolean;
  isClosed: boolean;
}

/** Sessions as they are opened, one after the other; `answer`: what the opening waits for. */
function makeLazy(answer: () => Promise<void> = async () => undefined): { lazy: LazyConnection; sessions: Session[]; numberOf: (connection: AdminConnection) => number } {
  const sessions: Session[] = [];
  const lazy = createLazyConnection(async () => {
    await answer();
    const session: Session = { no: sessions.length + 1, isLost: false, isClosed: false };
    sessions.push(session);
    return { threadId: session.no, isLost: () => session.isLost, close: async () => void (session.isClosed = true) } as AdminConnection;
  });
  return { lazy, sessions, numberOf: (connection) => connection.threadId };
}

describe('a connection that is opened when it is needed', () => {
  it('is opened once for all who ask', async () => {
    const { lazy, sessions, numberOf } = makeLazy();
    const [one, other] = await Promise.all([lazy.get(), lazy.get()]);
    expect([numberOf(one), numberOf(other), numberOf(await lazy.get()), sessions.length]).toEqual([1, 1, 1, 1]);
  });

  it('is closed and opened anew, once, when it was lost', async () => {
    const { lazy, sessions, numberOf } = makeLazy();
    await lazy.get();
    (sessions[0] as Session).isLost = true;
    const [one, other] = await Promise.all([lazy.get(), lazy.get()]);
    expect([numberOf(one), numberOf(other)]).toEqual([2, 2]);
    expect(sessions.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it('is tried again after it could not be opened', async () => {
    const outcomes = [async (): Promise<void> => Promise.reject(new Error('away'))];
    const { lazy, numberOf } = makeLazy(() => outcomes.shift()?.() ?? Promise.resolve());
    await expect(lazy.get()).rejects.toThrow('away');
    expect(numberOf(await lazy.get())).toBe(1);
  });

  it('is closed though it was still on its way, and opened again for who asks afterwards', async () => {
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
