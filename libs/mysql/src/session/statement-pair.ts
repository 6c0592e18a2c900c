import { createRowFeed } from './row-feed.js';
import type { BindValue, RowSink, StatementResult } from '../types.js';
import type { WireStatement } from '../wire/execute-response.js';
import type { PairPart } from '../wire/execute-pair.js';

/** One of two statements that are sent together. */
export interface PairStatement<R> {
  readonly sql: string;
  readonly values: readonly BindValue[];
  readonly sink: RowSink<R>;
}

/** The outcome: the result, or the error with which `run` would have rejected, or UnreadableColumns. */
export type Settled<R> =
  | { readonly kind: 'done'; readonly result: StatementResult<R> }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The outcomes of both statements, and the error of the command before them. */
export type SettledPair<A, B> = readonly [write: Settled<A>, read: Settled<B>, refused: Error | null];

export function toPairPart(statement: WireStatement, { values, sink }: PairStatement<unknown>): PairPart {
  return { statement, values, feed: createRowFeed(sink, () => undefined) };
}

export function settle<R>({ feed }: PairPart, fault: Error | null, startedMs: number): Settled<R> {
  if (fault !== null) return { kind: 'failed', error: fault };
  let settled: Settled<R> = { kind: 'failed', error: null };
  feed.finish(
    performance.now() - startedMs,
    (result) => void (settled = { kind: 'done', result: result as StatementResult<R> }),
    (error) => void (settled = { kind: 'failed', error }),
  );
  return settled;
}
