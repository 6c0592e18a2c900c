import { expect, it, vi } from 'vitest';
import { startQuestionHistory } from './create-models.js';
import { createTranslationCache, type SharedTranslations } from './translation-cache.js';

const NOTE = { model: 'm', tokens: 1, attempts: 1, repairs: 0 };

/** Creates the cache that gateways share, without a limit. */
function createShared(): SharedTranslations & { readonly texts: Map<string, string>; reads: number } {
  const texts = new Map<string, string>();
  return {
    texts,
    reads: 0,
    readTranslation(databaseId, name) {
      this.reads += 1;
      return Promise.resolve(texts.get(`${databaseId} ${name}`) ?? null);
    },
    writeTranslation: (databaseId, name, text) => void texts.set(`${databaseId} ${name}`, text),
  };
}

const nothing: SharedTranslations = {
  readTranslation: () => Promise.resolve(null),
  writeTranslation: () => undefined,
};

it('the translation cache retains the entries used last', async () => {
  const cache = createTranslationCache(2, nothing);
  const sqlOf = async (name: string): Promise<string | undefined> => (await cache.get('db', name))?.sql;
  cache.set('db', 'a', { sql: 'SELECT 1', note: NOTE });
  cache.set('db', 'b', { sql: 'SELECT 2', note: NOTE });
  expect(await sqlOf('a')).toBe('SELECT 1');
  cache.set('db', 'c', { sql: 'SELECT 3', note: NOTE });
  expect([await sqlOf('a'), await sqlOf('b'), await sqlOf('c')]).toEqual(['SELECT 1', undefined, 'SELECT 3']);
  cache.set('db', 'a', { sql: 'SELECT 4', note: NOTE });
  expect(await sqlOf('a')).toBe('SELECT 4');
});

it('the translation cache returns an entry of the shared cache', async () => {
  const shared = createShared();
  const [translationCache, two] = [createTranslationCache(2, shared), createTranslationCache(2, shared)];
  translationCache.set('db', 'a', { sql: 'SELECT 1', note: NOTE });
  expect([await two.get('db', 'a'), await two.get('db', 'a')]).toEqual([
    { sql: 'SELECT 1', note: NOTE },
    { sql: 'SELECT 1', note: NOTE },
  ]);
  expect(shared.reads).toBe(1);
  expect(await two.get('other', 'b')).toBeNull();
});

it('the question history is written in parts, and a failed part does not stop the next ones', async () => {
  vi.useFakeTimers();
  try {
    const written: number[] = [];
    let faults = 0;
    let isUnavailable = false;
    const history = startQuestionHistory(
      async (rows) => {
        if (isUnavailable) throw new Error('away');
        written.push(rows.length);
      },
      () => (faults += 1),
    );
    const row = {
      id: 'qst_a',
      databaseId: 'db_a',
      keyId: 'key_a',
      at: '',
      question: '',
      sql: null,
      source: '',
      code: '',
      durationMs: 0,
      tokens: 0,
      repairs: 0,
      requestId: '',
    };
    for (let index = 0; index < 700; index += 1) history.note({ ...row, databaseId: `db_${index % 50}` });
    await vi.advanceTimersByTimeAsync(1_000);
    isUnavailable = true;
    history.note(row);
    await vi.advanceTimersByTimeAsync(1_000);
    isUnavailable = false;
    history.note(row);
    await history.stop();
    expect({ written, faults }).toEqual({ written: [500, 1], faults: 1 });
  } finally {
    vi.useRealTimers();
  }
});
