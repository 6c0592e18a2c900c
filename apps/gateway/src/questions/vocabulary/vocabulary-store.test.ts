import type { GatewayVocabulary, ValueIndexState } from '@rowhouse/platform-store';
import { describe, expect, it, vi } from 'vitest';
import type { TenantDatabase } from '../../tenant/tenant.js';
import { createVocabularyStore, type VocabularyStore } from './vocabulary-store.js';

const databaseOf = (id: string): TenantDatabase =>
  ({ record: { id, projectId: `prj_${id}` } }) as unknown as TenantDatabase;
const db = databaseOf('db');

interface Setup {
  readonly store: VocabularyStore;
  readonly requests: (readonly [readonly string[], number, boolean])[];
  readonly faults: unknown[];
  state: ValueIndexState | null;
  word: string;
  nowMs: number;
  /** Called as the worker when it is asked. */
  onRequest: () => void;
  reads: number;
}

function setUp(bytesMax?: number): Setup {
  const setup: Partial<Setup> & { state: ValueIndexState | null } = {
    state: { version: 1, isSettled: true },
    word: 'paid',
    nowMs: 1_000_000,
    requests: [],
    faults: [],
    onRequest: () => undefined,
    reads: 0,
  };
  const created = setup as Setup;
  const source: GatewayVocabulary = {
    listSynonyms: async () => [{ phrase: 'folk', table: 'users', column: null }],
    readState: async () => created.state,
    request: async (ids, gapMs, isFirst) => {
      created.requests.push([ids, gapMs, isFirst]);
      created.onRequest();
    },
  };
  const store = createVocabularyStore({
    source,
    readValues: async (database, version) => {
      created.reads += 1;
      return [
        { table: 'orders', column: 'state', values: [`${created.word} ${database.record.id} ${version}`] },
      ];
    },
    requestComparison: () => undefined,
    onFault: (error) => created.faults.push(error),
    nowMs: () => created.nowMs,
    ...(bytesMax === undefined ? {} : { bytesMax }),
  });
  return Object.assign(created, { store });
}

describe('the store of values and synonyms', () => {
  it('values and synonyms are loaded once for all callers and stay in memory', async () => {
    const setup = setUp();
    const { store } = setup;
    const [questionVocabulary, two] = await Promise.all([store.read(db), store.read(db)]);
    expect(questionVocabulary).toBe(two);
    expect(await store.read(db)).toBe(questionVocabulary);
    expect(questionVocabulary).toMatchObject({
      version: 1,
      values: [{ values: ['paid db 1'] }],
      synonyms: [{ phrase: 'folk' }],
    });
    expect(setup.reads).toBe(1);
    store.stop();
  });

  it('the vocabulary is loaded again after a change-log entry about it', async () => {
    const setup = setUp();
    const first = await setup.store.read(db);
    for (const kind of ['key', 'snapshot', 'settings'] as const) setup.store.drop('db', kind);
    expect(await setup.store.read(db)).toBe(first);
    for (const kind of ['values', 'words', 'suspend'] as const) {
      const before = await setup.store.read(db);
      setup.store.drop('db', kind);
      expect(await setup.store.read(db)).not.toBe(before);
    }
    setup.store.stop();
  });

  it('indexed values that change while they are read are discarded', async () => {
    const setup = setUp();
    const loading = setup.store.read(db);
    setup.word = 'shipped';
    setup.store.drop('db', 'values');
    expect((await loading).values[0]?.values).toEqual(['shipped db 1']);
    expect(setup.reads).toBeLessThanOrEqual(2);
    setup.store.stop();
  });

  it('a question requests a missing value index and waits for it', async () => {
    const setup = setUp();
    setup.state = null;
    setup.onRequest = () => void (setup.state = { version: 3, isSettled: true });
    expect((await setup.store.read(db)).version).toBe(3);
    expect(setup.requests).toEqual([[['db'], 2_000, true]]);
    setup.store.stop();
  });

  it('indexed values older than a minute are refreshed after the response', async () => {
    const setup = setUp();
    const first = await setup.store.read(db);
    setup.requests.length = 0;
    expect(await setup.store.read(db)).toBe(first);
    expect(setup.requests).toHaveLength(1);
    expect(await setup.store.read(db)).toBe(first);
    expect(setup.requests).toHaveLength(1);
    setup.nowMs += 61_000;
    await setup.store.read(db);
    expect(setup.requests).toHaveLength(2);
    setup.store.stop();
  });

  it('concurrent callers with a question that was not understood share one refresh of values', async () => {
    const setup = setUp();
    const vocabulary = await setup.store.read(db);
    setup.requests.length = 0;
    setup.nowMs += 10_000;
    setup.onRequest = () => void (setup.state = { version: 2, isSettled: true });
    expect(
      await Promise.all([setup.store.awaitNewer(db, vocabulary), setup.store.awaitNewer(db, vocabulary)]),
    ).toEqual([true, true]);
    expect(setup.requests).toHaveLength(1);
    const newer = await setup.store.read(db);
    expect(newer.version).toBe(2);
    expect(await setup.store.awaitNewer(db, newer)).toBe(false);
    expect(setup.requests.filter(([, gapMs]) => gapMs === 2_000)).toHaveLength(1);
    setup.store.stop();
  });

  it('questions are answered without values and synonyms while the platform database is unavailable', async () => {
    const setup = setUp();
    const store = createVocabularyStore({
      source: {
        listSynonyms: () => Promise.reject(new Error('away')),
        readState: () => Promise.reject(new Error('away')),
        request: () => Promise.reject(new Error('away')),
      },
      readValues: async () => [],
      requestComparison: () => undefined,
      onFault: (error) => setup.faults.push(error),
      nowMs: () => setup.nowMs,
    });
    expect(await store.read(db)).toMatchObject({ version: 0, values: [], synonyms: [] });
    expect(await store.awaitNewer(db, await store.read(db))).toBe(false);
    expect(setup.faults.length).toBeGreaterThan(0);
    store.stop();
    setup.store.stop();
  });

  it('the vocabulary store drops the least recently used database above its size', async () => {
    const setup = setUp(3_500);
    const first = await setup.store.read(databaseOf('a'));
    await setup.store.read(databaseOf('b'));
    await setup.store.read(databaseOf('c'));
    expect(await setup.store.read(databaseOf('a'))).not.toBe(first);
    setup.store.stop();
  });

  it('the bytes of indexed values dropped during a refresh are subtracted once', async () => {
    const setup = setUp(2_000);
    const vocabulary = await setup.store.read(databaseOf('a'));
    setup.nowMs += 10_000;
    setup.state = { version: 1, isSettled: false };
    const waiting = setup.store.awaitNewer(databaseOf('a'), vocabulary);
    const other = await setup.store.read(databaseOf('b'));
    setup.state = { version: 2, isSettled: true };
    await waiting;
    await setup.store.read(databaseOf('c'));
    expect(await setup.store.read(databaseOf('b'))).not.toBe(other);
    setup.store.stop();
  });

  it('writes to a database that receives questions refresh its value index', async () => {
    vi.useFakeTimers();
    const setup = setUp();
    await setup.store.read(db);
    setup.requests.length = 0;
    setup.store.noteWrite('db');
    setup.store.noteWrite('db');
    setup.store.noteWrite('never asked');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(setup.requests).toEqual([[['db'], 30_000, false]]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(setup.requests).toHaveLength(1);
    setup.store.stop();
    vi.useRealTimers();
  });
});
