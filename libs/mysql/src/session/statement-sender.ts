import type { Connection, FieldPacket, PrepareStatementInfo } from 'mysql2';
import { ConnectionLostError, isStaleHandle, toPoolFault } from '../faults.js';
import type { BindValue, RowSink, StatementResult } from '../types.js';
import { statementIdOf, wireOf } from '../wire/driver-wire.js';
import { type PairPart, startExecutePair, startExecute } from '../wire/send-execute.js';
import { UnreadableColumnsError, type WireStatement } from '../wire/execute-response.js';
import { createPreparedStatements, type PreparedStatements } from './prepared-statements.js';
import type { RowFeed } from './row-feed.js';
import mysql from 'mysql2';
import { createRowFeed } from './row-feed.js';

/** One of two statements that are sent together. */
export interface PairStatement<R> {
  readonly sql: string;
  readonly values: readonly BindValue[];
  readonly sink: RowSink<R>;
}

/**
 * The outcome of a statement: its result, the error with which `run` would have rejected, or
 * UnreadableColumnsError.
 */
export type Settled<R> =
  | { readonly kind: 'done'; readonly result: StatementResult<R> }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The outcomes of the write and the read, and the error of the preceding command. */
export type SettledPair<A, B> = readonly [write: Settled<A>, read: Settled<B>, refused: Error | null];

const INT64_MAX = 2n ** 63n - 1n;

/** The services that the session provides to its sender. */
export interface SenderHost {
  /** Returns whether a KILL QUERY was sent, so that no further statement may be sent. */
  isStopped(): boolean;
  /** Converts an error of the server. If the error shows that the node left its cluster, this is recorded. */
  toFault(error: unknown): Error;
  /** Ends the session, because a packet was not a valid response. */
  onDisorder(error: Error): void;
}

export interface StatementJob {
  readonly sql: string;
  readonly values: readonly BindValue[];
  readonly feed: RowFeed<unknown>;
  readonly finish: () => void;
  readonly reject: (error: unknown) => void;
  /** Whether the platform's packet reader reads the response, instead of the driver. */
  readonly isOwn: boolean;
  /** Whether the statement may be sent again when its handle is stale. */
  readonly mayRetry: boolean;
  /** Receives the number of bytes as they arrive. Undefined when not needed. */
  readonly onBytes: ((bytes: number) => void) | undefined;
}

/** Receives the outcome of a write and a read that are sent together. */
export interface PairHooks<A, B> {
  readonly resolve: (settled: SettledPair<A, B> | null) => void;
  readonly reject: (error: unknown) => void;
  /** Called when the response to the write is complete and the read is still running. */
  readonly onFirst: () => void;
  /** Registers a callback for the moment when the caller stops waiting. */
  readonly onLeave: (callback: () => void) => void;
}

/** The assumed size of a row that the driver reads, because its packet is not visible. */
const ROW_BYTES = 256;
const READ = /^SELECT /;
/** Matches statements that have exactly one response, which is a list of rows or a pair of counts. */
const PLAIN = /^(?:SELECT|INSERT|UPDATE|DELETE) /;

/** Prepares the statements of one session, sends them, and reads their responses, one at a time. */
export class StatementSender {
  readonly #connection: Connection;
  readonly #readsPackets: boolean;
  readonly #host: SenderHost;
  readonly #statements: PreparedStatements;
  /** The response layouts of prepared statements. */
  readonly #wireStatements = new WeakMap<PrepareStatementInfo, WireStatement>();

  constructor(
    connection: Connection,
    limits: { readonly statementsPerSessionMax: number; readonly answersReadBy: 'wire' | 'driver' },
    host: SenderHost,
  ) {
    this.#connection = connection;
    this.#readsPackets = limits.answersReadBy === 'wire';
    this.#host = host;
    this.#statements = createPreparedStatements(connection, limits);
  }

  /** Forgets all prepared statements after a change of user has dropped them. */
  clear(): void {
    this.#statements.clear();
  }

  /** Forgets a statement whose handle is invalid. */
  forget(sql: string): void {
    this.#statements.forget(sql);
  }

  /**
   * Passes the prepared statement to a callback. This happens immediately if the statement is already
   * prepared. Exactly one callback is called.
   */
  prepare(sql: string, onReady: (statement: WireStatement) => void, onFault: (error: unknown) => void): void {
    this.#statements.use(
      sql,
      (statement) => onReady(this.#toWireStatement(statement)),
      (error) => onFault(toPoolFault(error)),
    );
  }

  /**
   * Returns whether the packets of the response are read here instead of by the driver. A sink that needs
   * descriptions of the columns gets the driver's values.
   */
  readsPackets(sql: string, sink: RowSink<unknown>): boolean {
    return this.#readsPackets && (sink.columns === null || sink.wire !== undefined) && PLAIN.test(sql);
  }

  /** Sends one statement and feeds its response. */
  send(job: StatementJob): void {
    const { sql, values, feed, finish, reject } = job;
    const onError = (error: unknown): void => {
      if (error instanceof UnreadableColumnsError) return this.send({ ...job, isOwn: false });
      const fault = this.#host.toFault(error);
      if (!job.mayRetry || !isStaleHandle(fault)) return reject(fault);
      this.#statements.forget(sql);
      return this.send({ ...job, mayRetry: false });
    };
    const execute = (statement: PrepareStatementInfo): void => {
      // While the statement was prepared, its caller stopped waiting, because the engine needed all the time
      // to parse the text.
      if (this.#host.isStopped()) return reject(new ConnectionLostError('stopped before it began', true));
      // This may run in a callback of the driver, so it must not throw.
      try {
        const part = {
          statement: this.#toWireStatement(statement),
          values,
          feed,
          takesAll: !READ.test(sql),
          onBytes: job.onBytes,
        };
        if (
          job.isOwn &&
          startExecute(wireOf(this.#connection), part, {
            onEnd: finish,
            onFault: onError,
            onDisorder: (error) => this.#host.onDisorder(error),
          })
        )
          return;
        executeByDriver(statement, toDriverValues(values), job, onError);
      } catch (error) {
        reject(error);
      }
    };
    this.#statements.use(sql, execute, onError);
  }

  /** Sends a write and a read together. If that is impossible, it resolves with null and sends nothing. */
  sendPair<A, B>(
    write: PairStatement<A>,
    read: PairStatement<B>,
    hooks: PairHooks<A, B>,
    ahead: string | null,
  ): void {
    const startedMs = performance.now();
    const unable = (): void => hooks.resolve(null);
    this.#statements.use(
      write.sql,
      (first) =>
        this.#statements.use(
          read.sql,
          (second) => this.#startPair(write, read, [first, second], startedMs, hooks, ahead),
          unable,
        ),
      unable,
    );
  }

  #startPair<A, B>(
    write: PairStatement<A>,
    read: PairStatement<B>,
    statements: readonly [PrepareStatementInfo, PrepareStatementInfo],
    startedMs: number,
    { resolve, reject, onFirst, onLeave }: PairHooks<A, B>,
    ahead: string | null,
  ): void {
    const first = toPairPart(this.#toWireStatement(statements[0]), write);
    const second = toPairPart(this.#toWireStatement(statements[1]), read);
    onLeave(() => [first, second].forEach(({ feed }) => feed.abandon()));
    // This may run in a callback of the driver, so it must not throw.
    try {
      const isSent = startExecutePair(
        wireOf(this.#connection),
        first,
        second,
        {
          onFirst,
          onEnd: ([rejected, ...faults]) =>
            resolve([
              settle<A>(first, faults[0], startedMs),
              settle<B>(second, faults[1], startedMs),
              rejected,
            ]),
          onDisorder: (error) => this.#host.onDisorder(error),
          onLost: (error) => reject(toPoolFault(error)),
        },
        ahead,
      );
      if (!isSent) resolve(null);
    } catch (error) {
      reject(error);
    }
  }

  #toWireStatement(statement: PrepareStatementInfo): WireStatement {
    let known = this.#wireStatements.get(statement);
    if (known === undefined)
      this.#wireStatements.set(
        statement,
        (known = { id: statementIdOf(statement), definitions: [], layout: null }),
      );
    return known;
  }
}

function executeByDriver(
  statement: PrepareStatementInfo,
  values: unknown[],
  { feed, finish, onBytes }: Pick<StatementJob, 'feed' | 'finish' | 'onBytes'>,
  onError: (error: unknown) => void,
): void {
  let hasFailed = false;
  const command = statement.execute(values);
  command.on('error', (error) => {
    hasFailed = true;
    onError(error);
  });
  command.on('fields', (fields: FieldPacket[] | undefined) => feed.columns(fields));
  command.on('result', (row: unknown) => {
    feed.row(row);
    onBytes?.(ROW_BYTES);
  });
  // The driver also emits `end` after an error.
  command.on('end', () => void (hasFailed || finish()));
}

/**
 * Converts each value to its exact type in the protocol. Otherwise the driver would send all numbers as
 * DOUBLE, and 64-bit integers as text, which the server compares as floating point.
 */
function toDriverValues(values: readonly BindValue[]): unknown[] {
  return values.map(toDriverValue);
}

function toDriverValue(value: BindValue): unknown {
  switch (typeof value) {
    case 'bigint':
      return value > INT64_MAX
        ? mysql.TypedParameter.LONGLONG.unsigned(value)
        : mysql.TypedParameter.LONGLONG(value);
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0)
        ? mysql.TypedParameter.LONGLONG(value)
        : value;
    case 'object':
      if (value === null || Buffer.isBuffer(value)) return value;
      return value instanceof Uint8Array
        ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
        : mysql.TypedParameter.NEWDECIMAL(value.digits);
    default:
      return value;
  }
}

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
