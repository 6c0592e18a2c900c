import { createRowFeed } from './pool-row-feed.js';
import type { BindValue, RowSink, StatementResult } from './pool-types.js';
import type { WireStatement } from './wire/answer.js';
import type { PairPart } from './wire/execute-pair.js';

/** One of two statements that are sent at once. */
export interface PairStatement<R> {
  readonly sql: string;
  readonly values: readonly BindValue[];
  readonly sink: RowSink<R>;
}

/** What became of it: `error` as `run` would have rejected, or UnreadableColumns. */
export type Settled<R> = { readonly kind: 'done'; readonly result: StatementResult<R> } | { readonly kind: 'failed'; readonly error: unknown };

/** What became of the two, and why what was to go ahead of them was refused. */
export type SettledPair<A, B> = readonly [write: Settled<A>, read: Settled<B>, refused: Error | null];

export function toPairPart(statement: WireStatement, { values, sink }: PairStatement<unknown>): PairPart {
  return { statement, values, feed: createRowFeed(sink, () => undefined) };
}

export function settle<R>({ feed }: PairPart, fault: Error | null, startedMs: number): Settled<R> {
  if (fault !== null) return { kind: 'failed', error: fault };
  let settled: Settled<R> = { kind: 'failed', error: null };
  feed.finish(performance.now() - startedMs, (result) => void (settled = { kind: 'done', result: result as StatementResult<R> }), (error) => void (settled = { kind: 'failed', error }));
  return settled;
}
