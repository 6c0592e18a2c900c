import { expect, it, vi } from 'vitest';
import { startQuestionHistory } from './question-history.js';
import { createTranslationCache } from './translation-cache.js';

const NOTE = { model: 'm', tokens: 1, attempts: 1, repairs: 0 };

it('keeps what was used last', () => {
  const cache = createTranslationCache(2);
  cache.set('a', { sql: 'SELECT 1', note: NOTE });
  cache.set('b', { sql: 'SELECT 2', note: NOTE });
  expect(cache.get('a')?.sql).toBe('SELECT 1');
  cache.set('c', { sql: 'SELECT 3', note: NOTE });
  expect([cache.get('a')?.sql, cache.get('b'), cache.get('c')?.sql]).toEqual(['SELECT 1', null, 'SELECT 3']);
  cache.set('a', { sql: 'SELECT 4', note: NOTE });
  expect(cache.get('a')?.sql).toBe('SELECT 4');
});

it('the history is written in pieces, bounded, and whole at the end; a fault loses a piece and nothing else', async () => {
  vi.useFakeTimers();
  try {
    const written: number[] = [];
    let faults = 0;
    let isAway = false;
    const history = startQuestionHistory(async (rows) => {
      if (isAway) throw new Error('away');
      written.push(rows.length);
    }, () => (faults += 1));
    const row = { id: 'qst_a', databaseId: 'db_a', keyId: 'key_a', at: '', question: '', sql: null, source: '', code: '', durationMs: 0, tokens: 0, repairs: 0, requestId: '' };
    for (let index = 0; index < 700; index += 1) history.note(row);
    await vi.advanceTimersByTimeAsync(1_000);
    isAway = true;
    history.note(row);
    await vi.advanceTimersByTimeAsync(1_000);
    isAway = false;
    history.note(row);
    await history.stop();
    expect({ written, faults }).toEqual({ written: [500, 1], faults: 1 });
  } finally {
    vi.useRealTimers();
  }
});
