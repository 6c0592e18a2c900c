import { AppError } from '@rowhouse/errors';
import { expect, it } from 'vitest';
import type { HeldLease, WorkerContext } from '../worker-context.js';
import { holdContext } from './hold-context.js';

const STORES = ['platform', 'directory', 'transfers', 'values'] as const;
const SESSIONS = [
  'openProvisioner',
  'openNodeProvisioner',
  'openObserver',
  'openNodeObserver',
  'openMigrator',
  'openReader',
  'openSwapper',
  'openAs',
  'openForTables',
  'useReadyProvisioner',
] as const;

/** Optional arguments that the caller leaves out are passed on as undefined. */
const TAILS: Partial<Record<string, string>> = {
  openMigrator: ',,',
  openReader: ',,',
  openSwapper: ',',
  openAs: ',,,',
  openForTables: ',,,',
  useReadyProvisioner: ',',
};

function stage(): { held: WorkerContext; sent: string[]; lose: () => void } {
  const sent: string[] = [];
  let isHeld = true;
  const abort = new AbortController();
  const lease: HeldLease = {
    signal: abort.signal,
    assertHeld: () => {
      if (!isHeld) throw new AppError('platform.unavailable', { internal: 'the lease is lost' });
    },
  };
  const note =
    (name: string) =>
    (...values: unknown[]): Promise<unknown> => (
      sent.push(`${name} ${values.join()}`),
      Promise.resolve({
        drop: () => void sent.push(`drop ${name}`),
        run: note(`${name} run`),
        close: () => Promise.resolve(),
      })
    );
  const ctx = {
    ...Object.fromEntries(STORES.map((store) => [store, { read: note(store) }])),
    access: Object.fromEntries(SESSIONS.map((name) => [name, note(name)])),
  } as unknown as WorkerContext;
  return {
    held: holdContext(ctx, lease),
    sent,
    lose: () => ((isHeld = false), abort.abort(new Error('the lease is lost'))),
  };
}

type Calls = Record<string, (...values: unknown[]) => Promise<{ run: (sql: string) => Promise<unknown> }>>;

it('store and session calls are passed on while the job lease is held', async () => {
  const { held, sent } = stage();
  for (const store of STORES) await (held[store] as unknown as Calls)['read']?.('a', 'b');
  for (const name of SESSIONS) await (held.access as unknown as Calls)[name]?.('srv');
  expect(sent).toEqual([
    ...STORES.map((store) => `${store} a,b`),
    ...SESSIONS.map((name) => `${name} srv${TAILS[name] ?? ''}`),
  ]);
});

it.each(STORES)('the store %s is neither read nor written once the job lease is lost', async (store) => {
  const { held, sent, lose } = stage();
  lose();
  await expect((held[store] as unknown as Calls)['read']?.()).rejects.toMatchObject({
    code: 'platform.unavailable',
  });
  expect(sent).toEqual([]);
});

it.each(SESSIONS)('%s opens no session once the job lease is lost', async (name) => {
  const { held, sent, lose } = stage();
  lose();
  await expect((held.access as unknown as Calls)[name]?.('srv')).rejects.toMatchObject({
    code: 'platform.unavailable',
  });
  expect(sent).toEqual([]);
});

it.each(SESSIONS.filter((name) => name.startsWith('open')))(
  'the session of %s is closed with the job lease, and nothing more is sent on it',
  async (name) => {
    const { held, sent, lose } = stage();
    const session = await (held.access as unknown as Calls)[name]?.('srv');
    lose();
    expect(sent.at(-1)).toBe(`drop ${name}`);
    await expect(session?.run('DROP TABLE t')).rejects.toMatchObject({ code: 'platform.unavailable' });
    expect(sent.at(-1)).toBe(`drop ${name}`);
  },
);
