import type { Lexicon } from '@rowhouse/nl-engine';
import { compileSnapshot, nameSnapshot, type CompiledSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import type { Tenant } from '../../tenant/tenant.js';
import { createLexiconCache } from './lexicon-cache.js';
import { listReadableValues, makeQuestionVocabulary, EMPTY_VOCABULARY } from './question-vocabulary.js';

function compileTables(count: number): CompiledSnapshot {
  const tables = Array.from({ length: count }, (_, index) =>
    rawTable(
      `branch_${index}`,
      Array.from({ length: 20 }, (_none, position) =>
        rawColumn(`regional_billing_part${position}`, 'int(11)'),
      ),
    ),
  );
  return compileSnapshot(nameSnapshot({ engine: 'mariadb', tables }, null), 1, {
    tables: null,
    verbs: ['read', 'write', 'delete'],
    hiddenColumns: {},
  });
}

const unindexed = {};
const tenantOf = (id: string, view = 'all'): Tenant =>
  ({
    database: { record: { id, schemaName: `p${id}`, settings: { unindexed_columns: unindexed } } },
    view: { name: view },
  }) as unknown as Tenant;

/** Creates slices that run when the test continues them, and records their owners. */
function createScheduler(): {
  readonly nextSlice: (owner: string) => Promise<void>;
  readonly waiting: { readonly owner: string; readonly resume: () => void }[];
} {
  const waiting: { readonly owner: string; readonly resume: () => void }[] = [];
  return { waiting, nextSlice: (owner) => new Promise((resume) => waiting.push({ owner, resume })) };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function letAllGoOn(pendingSlices: ReturnType<typeof createScheduler>): Promise<string[]> {
  const owners: string[] = [];
  for (await settle(); pendingSlices.waiting.length > 0; await settle()) {
    const next = pendingSlices.waiting.shift();
    owners.push(next?.owner ?? '');
    next?.resume();
  }
  return owners;
}

it('a lexicon of many tables is built in slices, once for all concurrent callers', async () => {
  const pendingSlices = createScheduler();
  const cache = createLexiconCache(pendingSlices);
  const compiled = compileTables(60);
  const pendingResponse = [
    cache.of(tenantOf('1'), compiled, EMPTY_VOCABULARY),
    cache.of(tenantOf('1'), compiled, EMPTY_VOCABULARY),
  ];
  const owners = await letAllGoOn(pendingSlices);
  expect(owners.length).toBeGreaterThan(10);
  expect(new Set(owners)).toEqual(new Set(['p1']));
  const [lexicon, other] = await Promise.all(pendingResponse);
  expect(other).toBe(lexicon);
  expect(await cache.of(tenantOf('1'), compiled, EMPTY_VOCABULARY)).toBe(lexicon);
});

it('lexicons of one database are built one at a time', async () => {
  const pendingSlices = createScheduler();
  const cache = createLexiconCache(pendingSlices);
  const compiled = compileTables(60);
  const pendingResponse = [
    cache.of(tenantOf('1'), compiled, EMPTY_VOCABULARY),
    cache.of(tenantOf('1', 'narrow'), compiled, EMPTY_VOCABULARY),
    cache.of(tenantOf('2'), compiled, EMPTY_VOCABULARY),
  ];
  await settle();
  expect(pendingSlices.waiting.map(({ owner }) => owner)).toEqual(['p1', 'p2']);
  await letAllGoOn(pendingSlices);
  expect(new Set(await Promise.all(pendingResponse)).size).toBe(3);
});

it('a lexicon is rebuilt after a change of synonyms or schema', async () => {
  const pendingSlices = { nextSlice: () => Promise.resolve() };
  const [small, large] = [compileTables(2), compileTables(20)];
  const cache = createLexiconCache(pendingSlices, 1_000);
  const first = await cache.of(tenantOf('1'), small, EMPTY_VOCABULARY);
  const newer = await cache.of(tenantOf('1'), small, makeQuestionVocabulary(2, [], []));
  expect(newer).not.toBe(first);
  const vocabulary = makeQuestionVocabulary(2, [], []);
  const cached: Lexicon = await cache.of(tenantOf('2'), small, vocabulary);
  expect(await cache.of(tenantOf('2'), small, vocabulary)).toBe(cached);
  await cache.of(tenantOf('3'), large, EMPTY_VOCABULARY);
  expect(await cache.of(tenantOf('2'), small, vocabulary)).not.toBe(cached);
});

it('a failed lexicon build is repeated by the next call', async () => {
  let isBroken = true;
  const cache = createLexiconCache({
    nextSlice: () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()),
  });
  const compiled = compileTables(60);
  await expect(cache.of(tenantOf('1'), compiled, EMPTY_VOCABULARY)).rejects.toThrow('broken');
  isBroken = false;
  expect((await cache.of(tenantOf('1'), compiled, EMPTY_VOCABULARY)).snapshot.tables).toHaveLength(60);
});

it('listReadableValues includes the values of a table that is named like an object property', () => {
  const { tables } = nameSnapshot(
    { engine: 'mariadb', tables: [rawTable('constructor', [rawColumn('name', 'varchar(9)')])] },
    null,
  );
  const values = [{ table: 'constructor', column: 'name', values: ['a'] }] as never;
  const vocabulary = makeQuestionVocabulary(1, values, []);
  expect(listReadableValues(tables, vocabulary, {})).toHaveLength(1);
  expect(listReadableValues(tables, vocabulary, { constructor: ['name'] })).toHaveLength(0);
});
