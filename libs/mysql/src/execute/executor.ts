import type { KeyedStatement, RowSink, ShortWrite, StatementResult } from '../types.js';
import type { RunOptions, RunTarget } from './run-options.js';

/**
 * Runs the short statements of accounts. `createPlainExecutor` gives every statement a separate session.
 * `createPipelinedExecutor` lets concurrent statements of an account share connections. All methods throw
 * like `runStatements`.
 */
export interface Executor {
  /** Reads one row by its key. `makeSink` creates a sink for each attempt. */
  readByKey<R>(
    target: RunTarget,
    waitMs: number,
    statement: KeyedStatement,
    makeSink: () => RowSink<R>,
  ): Promise<StatementResult<R>>;
  /**
   * Reads a few rows. Unlike `readByKey`, the statement may be slow. `makeSink` creates a sink for each
   * attempt.
   */
  readFew<R>(
    target: RunTarget,
    waitMs: number,
    statement: KeyedStatement,
    makeSink: () => RowSink<R>,
  ): Promise<StatementResult<R>>;
  /**
   * Runs one write, and a read after it, as `runStatements` does with mode `write`. The statements are known
   * in advance, so the overhead is as low as for reading one record.
   */
  writeRecord<A, B>(
    target: RunTarget,
    options: WriteOptions,
    write: ShortWrite<A, B>,
  ): Promise<WriteResult<A, B>>;
  /** Ends shared sessions whose statement has run too long. Call it a few times a second. */
  sweep(nowMs: number): void;
}

export type WriteOptions = Pick<RunOptions, 'waitMs' | 'statementMsMax'>;

/** The results of a write and of the read that follows it. The second result is null without a read. */
export type WriteResult<A, B> = readonly [StatementResult<A>, StatementResult<B> | null];
