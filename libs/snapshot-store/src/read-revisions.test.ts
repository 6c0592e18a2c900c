import { describe, expect, it } from 'vitest';
import { readRevisions } from './read-revisions.js';

/**
 * Creates a store with the revisions 1 to `count`. `requestCount` contains the numbers below which a revision
 * was requested.
 */
function makeStore(count: number, toText = (revision: number): string => JSON.stringify({ revision })) {
  const requestCount: number[] = [];
  const readNewestBefore = (before: number): Promise<{ revision: number; snapshot: string } | null> => {
    requestCount.push(before);
    const revision = Math.min(count, before - 1);
    return Promise.resolve(revision < 1 ? null : { revision, snapshot: toText(revision) });
  };
  return { asked: requestCount, readNewestBefore };
}

async function list(
  store: ReturnType<typeof makeStore>,
  countMax = Number.POSITIVE_INFINITY,
): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const snapshot of readRevisions(store.readNewestBefore))
    if (found.push(snapshot) >= countMax) break;
  return found;
}

describe('readRevisions', () => {
  it('readRevisions reads revisions from newest to oldest as they are requested', async () => {
    expect(await list(makeStore(3))).toEqual([{ revision: 3 }, { revision: 2 }, { revision: 1 }]);
    expect(await list(makeStore(0))).toEqual([]);
    const store = makeStore(3);
    expect(await list(store, 2)).toEqual([{ revision: 3 }, { revision: 2 }]);
    expect(store.asked.slice(1)).toEqual([3]);
  });

  it('readRevisions stops after fifty revisions or 64 million characters', async () => {
    expect(await list(makeStore(60))).toHaveLength(50);
    const long = JSON.stringify('x'.repeat(30 * 1024 * 1024));
    expect(await list(makeStore(9, () => long))).toHaveLength(3);
  });
});
