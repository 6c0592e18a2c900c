import { AppError } from '@rowhouse/errors';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../tenant/tenant.js';
import { watchStream, type StreamWatchServices } from './stream-watch.js';

const tenantOf = (hiddenColumns: Record<string, readonly string[]> = {}, locationState = 'live'): Tenant =>
  ({
    keyHash: 'k',
    database: { record: { id: 'db', locationState } },
    view: { name: 'v', rights: { tables: null, verbs: ['read'], hiddenColumns } },
  }) as unknown as Tenant;

describe('the watch over a stream', () => {
  const first = tenantOf();
  let found: Tenant | null | AppError;
  let resolved: Tenant | AppError;
  let live: number;
  let isChangeLogLost: boolean;
  let stop: AbortController;
  const authorize = vi.fn<(tenant: Tenant) => void>();

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    [found, resolved, live, isChangeLogLost, stop] = [first, first, 1, false, new AbortController()];
    authorize.mockReset();
    const services = {
      isChangeLogLost: () => isChangeLogLost,
      tenants: {
        find() {
          if (found instanceof AppError) throw found;
          return found;
        },
        resolve: () => (resolved instanceof AppError ? Promise.reject(resolved) : Promise.resolve(resolved)),
      },
      schemas: { use: () => ({ number: live, release: () => undefined }) },
    } as unknown as StreamWatchServices;
    watchStream({ services, tenant: first, number: 1, address: '', isOpen: () => true, authorize }, stop);
  });

  afterEach(() => void vi.useRealTimers());

  const reason = async (afterMs: number): Promise<string | null> => {
    await vi.advanceTimersByTimeAsync(afterMs);
    return stop.signal.aborted ? (stop.signal.reason as AppError).code : null;
  };

  it('a stream continues while nothing changes', async () => {
    expect(await reason(600_000)).toBeNull();
  });

  it('a stream that reads an outdated schema stops after a minute', async () => {
    live = 2;
    expect(await reason(59_900)).toBeNull();
    expect(await reason(300)).toBe('db.schema_changing');
  });

  it('a stream stops within 100 ms when its key is rejected, expires or loses rights', async () => {
    const cases: [() => void, string][] = [
      [() => ([found, resolved] = [null, new AppError('auth.invalid_key')]), 'auth.invalid_key'],
      [() => (found = new AppError('auth.expired_key')), 'auth.expired_key'],
      [
        () => {
          found = tenantOf();
          authorize.mockImplementation(() => {
            throw new AppError('auth.scope');
          });
        },
        'auth.scope',
      ],
      [() => (found = tenantOf({ users: ['password'] })), 'auth.scope'],
      [() => (found = tenantOf({}, 'suspended')), 'db.suspended'],
      [() => (isChangeLogLost = true), 'platform.unavailable'],
    ];
    const [change, code] = cases[0] ?? [() => undefined, ''];
    change();
    expect(await reason(100)).toBe(code);
    for (const [next, expected] of cases.slice(1)) {
      authorize.mockReset();
      [found, isChangeLogLost] = [first, false];
      next();
      const own = new AbortController();
      const services = {
        isChangeLogLost: () => isChangeLogLost,
        tenants: {
          find: () => {
            if (found instanceof AppError) throw found;
            return found;
          },
        },
        schemas: { use: () => null },
      } as unknown as StreamWatchServices;
      watchStream({ services, tenant: first, number: 1, address: '', isOpen: () => true, authorize }, own);
      await vi.advanceTimersByTimeAsync(100);
      expect((own.signal.reason as AppError).code).toBe(expected);
    }
  });

  it('a stream continues when its key was read again and has the same rights', async () => {
    [found, resolved] = [null, tenantOf()];
    expect(await reason(100)).toBeNull();
    expect(authorize).toHaveBeenCalledOnce();
  });
});
