import { foldWords, guardQuery, type AcceptedPair, type GuardOptions } from '@rowhouse/query-engine';
import { LRUCache } from 'lru-cache';

export interface AcceptedStore {
  /** Lists the accepted questions of one database, newest first. */
  listAccepted(databaseId: string, rowsMax: number): Promise<AcceptedPair[]>;
}

/** Finds questions whose answers a tenant's users have accepted. They are examples for the language model. */
export interface AcceptedQuestions {
  /**
   * Returns the most similar questions whose SQL the guard allows for this key. Returns none when the
   * platform database is unavailable.
   */
  find(databaseId: string, question: string, guard: GuardOptions): Promise<AcceptedPair[]>;
}

const FRESH_MS = 20_000;
const ROWS_MAX = 200;
const PAIRS_MAX = 3;
const DATABASES_MAX = 1_000;

export function createAcceptedQuestions(
  store: AcceptedStore,
  onFault: (error: unknown) => void,
  now: () => number = Date.now,
): AcceptedQuestions {
  const known = new LRUCache<string, { readonly atMs: number; readonly pairs: readonly AcceptedPair[] }>({
    max: DATABASES_MAX,
  });

  async function list(databaseId: string): Promise<readonly AcceptedPair[]> {
    const found = known.get(databaseId);
    if (found !== undefined && now() - found.atMs < FRESH_MS) return found.pairs;
    const pairs = await store.listAccepted(databaseId, ROWS_MAX).catch((error: unknown) => {
      onFault(error);
      return found?.pairs ?? [];
    });
    known.set(databaseId, { atMs: now(), pairs });
    return pairs;
  }

  return {
    async find(databaseId, question, guard) {
      const words = new Set(foldWords(question));
      const scored = (await list(databaseId))
        .map((pair) => ({ pair, score: foldWords(pair.question).filter((word) => words.has(word)).length }))
        .filter(({ score }) => score > 1)
        .sort((a, b) => b.score - a.score);
      // An example must not name a table or column that the key may not read.
      return scored
        .map(({ pair }) => pair)
        .filter((pair) => isAllowed(pair.sql, guard))
        .slice(0, PAIRS_MAX);
    },
  };
}

function isAllowed(sql: string, guard: GuardOptions): boolean {
  try {
    return guardQuery(sql, guard).kind === 'select';
  } catch {
    return false;
  }
}
