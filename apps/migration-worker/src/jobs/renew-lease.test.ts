import type { Logger } from '@rowhouse/runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HeldLease } from '../worker-context.js';
import { renewLease, LEASE_MS } from './renew-lease.js';

const logger = { warn: () => undefined } as unknown as Logger;

describe('keepLease', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Returns whether the work was stopped within the given time. */
  async function isStopped(
    heartbeat: () => Promise<boolean>,
    forMs: number,
    stopping?: AbortSignal,
  ): Promise<boolean> {
    let end: () => void = () => undefined;
    const leases: HeldLease[] = [];
    const retained = renewLease(
      heartbeat,
      logger,
      (lease) => {
        leases.push(lease);
        return new Promise((resolve) => (end = resolve));
      },
      stopping,
    );
    await vi.advanceTimersByTimeAsync(forMs);
    end();
    await retained;
    return leases[0]?.signal.aborted === true;
  }

  it('a job continues while its lease is renewed in time', async () => {
    expect(await isStopped(() => Promise.resolve(true), 10 * LEASE_MS)).toBe(false);
  });

  it('a job stops immediately when another worker has its lease', async () => {
    expect(await isStopped(() => Promise.resolve(false), LEASE_MS / 2)).toBe(true);
  });

  it.each([
    ['refuses', () => Promise.reject(new Error('away'))],
    ['does not answer', () => new Promise<boolean>(() => undefined)],
  ])('a job stops exactly one lease duration after the platform database %s', async (_what, heartbeat) => {
    expect(await isStopped(heartbeat, LEASE_MS)).toBe(false);
    expect(await isStopped(heartbeat, 1.5 * LEASE_MS)).toBe(true);
  });

  it('the duration of a lease counts from when its renewal was sent', async () => {
    const late = (): Promise<boolean> =>
      new Promise((resolve) => void setTimeout(() => resolve(true), LEASE_MS * 0.9));
    let beats = 0;
    // The first response is late, and no further response follows.
    const heartbeat = (): Promise<boolean> => ((beats += 1) === 1 ? late() : new Promise(() => undefined));
    expect(await isStopped(heartbeat, 2 * LEASE_MS)).toBe(true);
  });

  it('a job stops when its process is stopping or was already stopping', async () => {
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 1);
    expect(await isStopped(() => Promise.resolve(true), LEASE_MS / 2, stopping.signal)).toBe(true);
    expect(await isStopped(() => Promise.resolve(true), LEASE_MS / 2, AbortSignal.abort())).toBe(true);
  });
});
