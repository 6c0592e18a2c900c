import { foldWords, guardQuery, type AcceptedPair, type GuardOptions } from '@rowhouse/query-engine';

export interface AcceptedStore {
  /** Of one database, newest first. */
  listAccepted(databaseId: string, rowsMax: number): Promise<AcceptedPair[]>;
}

/** Questions of one tenant that somebody accepted, to show a model how things are asked here. */
export interface AcceptedQuestions {
  /** The nearest ones, each of which the guard lets pass for this key. Empty when the platform database is away. */
  find(databaseId: string, question: string, guard: GuardOptions): Promise<AcceptedPair[]>;
}

const FRESH_MS = 20_000;
const ROWS_MAX = 200;
const PAIRS_MAX = 3;
const DATABASES_MAX = 1_000;

export function createAcceptedQuestions(store: AcceptedStore, onFault: (error: unknown) => void, now: () => number = Date.now): AcceptedQuestions {
  const known = new Map<string, { readonly atMs: number; readonly pairs: readonly AcceptedPair[] }>();

  async function list(databaseId: string): Promise<readonly AcceptedPair[]> {
    const found = known.get(databaseId);
    if (found !== undefined && now() - found.atMs < FRESH_MS) return found.pairs;
    const pairs = await store.listAccepted(databaseId, ROWS_MAX).catch((error: unknown) => {
      onFault(error);
      return found?.pairs ?? [];
    });
    if (known.size >= DATABASES_MAX) known.clear();
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
      // What a key may not read must not be named to it by an example either.
      return scored.map(({ pair }) => pair).filter((pair) => isAllowed(pair.sql, guard)).slice(0, PAIRS_MAX);
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
