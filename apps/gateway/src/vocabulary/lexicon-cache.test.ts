import type { Lexicon } from '@rowhouse/nl-engine';
import { compileSnapshot, nameSnapshot, type CompiledSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import type { Tenant } from '../tenant/tenant.js';
import { createLexiconCache } from './lexicon-cache.js';
import { makeQuestionWords, NO_WORDS } from './question-words.js';

function compileTables(count: number): CompiledSnapshot {
  const tables = Array.from({ length: count }, (_, at) => rawTable(`branch_${at}`, Array.from({ length: 20 }, (_none, place) => rawColumn(`regional_billing_part${place}`, 'int(11)'))));
  return compileSnapshot(nameSnapshot({ engine: 'mariadb', tables }, null), 1, { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} });
}

const unindexed = {};
const tenantOf = (id: string, view = 'all'): Tenant => ({ database: { record: { id, schemaName: `p${id}`, settings: { unindexed_columns: unindexed } } }, view: { name: view } }) as unknown as Tenant;

/** Creates slices that run when the test continues them, and records their owners. */
function createTurns(): { readonly turn: (owner: string) => Promise<void>; readonly waiting: { readonly owner: string; readonly goOn: () => void }[] } {
  const waiting: { readonly owner: string; readonly goOn: () => void }[] = [];
  return { waiting, turn: (owner) => new Promise((goOn) => waiting.push({ owner, goOn })) };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function letAllGoOn(turns: ReturnType<typeof createTurns>): Promise<string[]> {
  const owners: string[] = [];
  for (await settle(); turns.waiting.length > 0; await settle()) {
    const next = turns.waiting.shift();
    owners.push(next?.owner ?? '');
    next?.goOn();
  }
  return owners;
}

it('a lexicon of many tables is built in slices, once for all concurrent callers', async () => {
  const turns = createTurns();
  const cache = createLexiconCache(turns);
  const compiled = compileTables(60);
  const asked = [cache.of(tenantOf('1'), compiled, NO_WORDS), cache.of(tenantOf('1'), compiled, NO_WORDS)];
  const owners = await letAllGoOn(turns);
  expect(owners.length).toBeGreaterThan(10);
  expect(new Set(owners)).toEqual(new Set(['p1']));
  const [one, other] = await Promise.all(asked);
  expect(other).toBe(one);
  expect(await cache.of(tenantOf('1'), compiled, NO_WORDS)).toBe(one);
});

it('the lexicons of one database are built one after the other, and those of others in parallel', async () => {
  const turns = createTurns();
  const cache = createLexiconCache(turns);
  const compiled = compileTables(60);
  const asked = [cache.of(tenantOf('1'), compiled, NO_WORDS), cache.of(tenantOf('1', 'narrow'), compiled, NO_WORDS), cache.of(tenantOf('2'), compiled, NO_WORDS)];
  await settle();
  expect(turns.waiting.map(({ owner }) => owner)).toEqual(['p1', 'p2']);
  await letAllGoOn(turns);
  expect(new Set(await Promise.all(asked)).size).toBe(3);
});

it('a lexicon is rebuilt after changes to synonyms or schema, and the least recently used ones beyond the limit are dropped', async () => {
  const turns = { turn: () => Promise.resolve() };
  const [small, large] = [compileTables(2), compileTables(20)];
  const cache = createLexiconCache(turns, 1_000);
  const first = await cache.of(tenantOf('1'), small, NO_WORDS);
  const newer = await cache.of(tenantOf('1'), small, makeQuestionWords(2, [], []));
  expect(newer).not.toBe(first);
  const words = makeQuestionWords(2, [], []);
  const kept: Lexicon = await cache.of(tenantOf('2'), small, words);
  expect(await cache.of(tenantOf('2'), small, words)).toBe(kept);
  await cache.of(tenantOf('3'), large, NO_WORDS);
  expect(await cache.of(tenantOf('2'), small, words)).not.toBe(kept);
});

it('an error is passed on, and the next call tries again', async () => {
  let isBroken = true;
  const cache = createLexiconCache({ turn: () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()) });
  const compiled = compileTables(60);
  await expect(cache.of(tenantOf('1'), compiled, NO_WORDS)).rejects.toThrow('broken');
  isBroken = false;
  expect((await cache.of(tenantOf('1'), compiled, NO_WORDS)).snapshot.tables).toHaveLength(60);
});
