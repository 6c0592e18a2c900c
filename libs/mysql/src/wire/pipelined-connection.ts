import { ConnectionLostError, DatabaseFault, isStaleHandle } from '../faults.js';
import { createRowFeed, type RowFeed } from '../session/row-feed.js';
import type { BindValue, KeyedStatement, PointRead, RowSink, StatementResult } from '../types.js';
import {
  ExecuteResponse,
  isReadable,
  UnreadableColumnsError,
  type WireStatement,
} from './execute-response.js';
import { FIRST_SEQUENCE_ID, type DriverWire, type WireCommand, type WirePacket } from './driver-wire.js';
import { encodeExecute } from './encode-execute.js';
import { createPipelineCloser } from './pipeline-closer.js';
import { createPointFeed, groupPointReads, isPointKey, padKeys } from './point-reads.js';

/** A pipelined connection cannot run this statement. Nothing was changed. A separate session can run it. */
export class NotPipelinableError extends Error {}

/** The session's services for a pipelined connection. */
export interface PipelineHost {
  readonly wire: DriverWire;
  /** Passes the prepared statement to `onReady`, at once if it is already prepared. */
  prepare(sql: string, onReady: (statement: WireStatement) => void, onFault: (error: unknown) => void): void;
  forget(sql: string): void;
  /** Reports how long a separate statement delayed the ones after it, and the size of its response. */
  onHeld?(sql: string, heldMs: number, bytes: number): void;
  /** How long the connection stays open without work. Defaults to 0. */
  readonly drainMs?: number;
  /** Called once, when the connection returns its session because it has no more work. */
  onIdle(): void;
  onLost(error: Error): void;
}

/**
 * Runs many short statements on one connection. Statements that arrive in one iteration of the event loop are
 * sent in one write, and responses arrive in order. A slow statement delays those after it, so only fast
 * reads should use it. An error only affects its own statement. A lost connection affects all of them.
 */
export interface PipelinedConnection extends PipelinedConnectionBase {
  /** Rejects with DatabaseFault, ConnectionLostError, NotPipelinableError, or the error of the sink. */
  run<R>(statement: KeyedStatement, sink: RowSink<R>): Promise<StatementResult<R>>;
}

/** The members of a pipelined connection that its session and the pool use. */
export interface PipelinedConnectionBase {
  /** Returns the number of waiting and running statements. */
  depth(): number;
  /**
   * Returns when the oldest outstanding statement was sent, or requested if it is still being prepared.
   * Infinity without statements.
   */
  oldestMs(): number;
  /**
   * Rejects all callers because the session has ended.
   *
   * @param isLate whether the oldest statement ran too long
   */
  fail(error: Error, isLate: boolean): void;
}

interface Job {
  readonly sql: string;
  readonly values: readonly BindValue[];
  /** Null when the read cannot be combined with others. */
  point: PointRead | null;
  readonly key: string;
  readonly feed: RowFeed<unknown>;
  readonly startedMs: number;
  readonly resolve: (result: StatementResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
  statement: WireStatement | null;
  mayPrepareAgain: boolean;
}

/** A statement whose response is outstanding. It serves one job, or several combined reads. */
interface Sent {
  readonly sql: string;
  readonly jobs: readonly Job[];
  readonly response: ExecuteResponse;
  readonly sentMs: number;
  bytes: number;
}

export function createPipelinedConnection(host: PipelineHost): PipelinedConnection {
  const { wire } = host;
  /**
   * The jobs whose statement is being prepared. `fail` rejects them, because the driver reports no connection
   * loss during a PREPARE.
   */
  const unprepared = new Set<Job>();
  const responseOptions = { hasMore: wire._mariadbExtendedMetadata, takesAll: false };
  let waiting: Job[] = [];
  let outstanding: Sent[] = [];
  let preparing = 0;
  let isActive = false;
  let isScheduled = false;
  /** When the previous response was complete. */
  let respondedMs = 0;
  let lost: Error | null = null;
  const closer = createPipelineCloser({
    drainMs: host.drainMs,
    isIdle: () => waiting.length === 0 && outstanding.length === 0 && preparing === 0,
    onClosed: () => host.onIdle(),
  });

  const command: WireCommand = {
    execute(packet) {
      if (packet === undefined) {
        isActive = true;
        send();
      } else {
        takePacket(packet);
      }
      if (outstanding.length > 0) return false;
      isActive = false;
      closer.checkIdle();
      return true;
    },
    onResult: (error) => host.onLost(error),
  };

  /**
   * Prepares a statement. The driver sends PREPARE when no response is outstanding, so `send` waits for it.
   */
  function prepare(
    sql: string,
    onReady: (statement: WireStatement) => void,
    onFault: (error: unknown) => void,
  ): void {
    preparing += 1;
    host.prepare(
      sql,
      (statement) => {
        preparing -= 1;
        onReady(statement);
      },
      (error) => {
        preparing -= 1;
        onFault(error);
        schedule();
      },
    );
  }

  function add(job: Job): void {
    unprepared.add(job);
    const onReady = (statement: WireStatement): void => {
      if (!unprepared.delete(job)) return;
      job.statement = statement;
      waiting.push(job);
      schedule();
    };
    const onFault = (error: unknown): void => {
      unprepared.delete(job);
      job.reject(error);
    };
    prepare(job.sql, onReady, onFault);
  }

  function schedule(): void {
    if (isScheduled || preparing > 0) return;
    isScheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    isScheduled = false;
    if (lost !== null || preparing > 0) return;
    if (waiting.length === 0) return closer.checkIdle();
    if (isActive) send();
    else wire.addCommand(command);
  }

  function send(): void {
    const buffers: Buffer[] = [];
    const isFirst = outstanding.length === 0;
    const nowMs = performance.now();
    const jobs = waiting;
    waiting = [];
    for (const group of groupPointReads(jobs)) {
      if (group.length === 1 || !sendCombined(group, buffers, nowMs))
        for (const job of group) sendSingle(job, buffers, nowMs);
    }
    if (buffers.length === 0) return;
    if (isFirst) wire.sequenceId = FIRST_SEQUENCE_ID;
    wire.compressedSequenceId = 0;
    wire.write(buffers.length === 1 ? (buffers[0] as Buffer) : Buffer.concat(buffers));
  }

  function sendSingle(job: Job, buffers: Buffer[], sentMs: number): void {
    const { statement } = job;
    const bytes =
      statement !== null && isReadable(statement) ? encodeExecute(statement.id, job.values) : null;
    if (statement === null || bytes === null)
      return job.reject(new NotPipelinableError('too large, or columns that only the driver can read'));
    buffers.push(bytes);
    outstanding.push({
      sql: job.sql,
      jobs: [job],
      response: new ExecuteResponse(statement, job.feed, responseOptions),
      sentMs,
      bytes: 0,
    });
  }

  /**
   * Sends several reads by key as one statement. Returns false if the statement for this number of keys is
   * not prepared yet, and prepares it for later reads.
   */
  function sendCombined(jobs: readonly Job[], buffers: Buffer[], sentMs: number): boolean {
    const { point } = jobs[0] as Job;
    if (point === null) return false;
    const keys = padKeys(jobs);
    const sql = point.sqlOf(keys.length);
    const statement = findPrepared(sql);
    const bytes = statement !== null && isReadable(statement) ? encodeExecute(statement.id, keys) : null;
    if (statement === null || bytes === null) return false;
    buffers.push(bytes);
    outstanding.push({
      sql,
      jobs,
      response: new ExecuteResponse(statement, createPointFeed(jobs, point.at), responseOptions),
      sentMs,
      bytes: 0,
    });
    return true;
  }

  /** Returns a prepared statement, or null after starting to prepare it. */
  function findPrepared(sql: string): WireStatement | null {
    const found: { statement: WireStatement | null } = { statement: null };
    let isLater = false;
    prepare(
      sql,
      (statement) => {
        found.statement = statement;
        if (isLater) schedule();
      },
      () => undefined,
    );
    isLater = true;
    return found.statement;
  }

  function takePacket(packet: WirePacket): void {
    const [sent] = outstanding;
    if (sent?.response.isAwaited === true && packet.sequenceId !== FIRST_SEQUENCE_ID)
      return host.onLost(new Error('the server sent a packet that belongs to no request'));
    if (sent === undefined) return;
    sent.bytes += packet.end - packet.offset;
    if (!sent.response.take(packet)) return;
    outstanding.shift();
    // The driver counts packets within one command. Here, each response starts again.
    wire.sequenceId = FIRST_SEQUENCE_ID;
    finish(sent);
  }

  function finish({ sql, jobs, response: { fault }, sentMs, bytes }: Sent): void {
    const nowMs = performance.now();
    if (fault === null) {
      host.onHeld?.(sql, nowMs - Math.max(sentMs, respondedMs), bytes);
      respondedMs = nowMs;
      for (const { feed, startedMs, resolve, reject } of jobs)
        feed.finish(nowMs - startedMs, resolve, reject);
      return;
    }
    const isStale = isStaleHandle(fault);
    if (isStale) host.forget(sql);
    for (const job of jobs) fail(job, fault, isStale, jobs.length > 1);
  }

  /** Rejects or repeats a job. Combined reads are repeated one by one, to find the one at fault. */
  function fail(job: Job, fault: Error, isStale: boolean, wasCombined: boolean): void {
    if (wasCombined && fault instanceof DatabaseFault) {
      job.point = null;
      return add(job);
    }
    if (fault instanceof UnreadableColumnsError)
      return job.reject(new NotPipelinableError('columns that only the driver can read'));
    if (!isStale || !job.mayPrepareAgain) return job.reject(fault);
    job.mayPrepareAgain = false;
    add(job);
  }

  return {
    run<R>({ sql, params: values, point = null }: KeyedStatement, sink: RowSink<R>) {
      if (lost !== null) return Promise.reject(new ConnectionLostError('the session has ended', false, lost));
      // Only the driver can describe columns and control the flow.
      if (sink.columns !== null || sink.onFlow !== undefined) {
        // If the session was opened only for this job, this returns it.
        schedule();
        return Promise.reject(new NotPipelinableError('the sink needs the driver'));
      }
      return new Promise<StatementResult<R>>((resolve, reject) => {
        const feed = createRowFeed(sink, () => undefined) as RowFeed<unknown>;
        const key = values[0];
        const isPoint = point !== null && values.length === 1 && isPointKey(key);
        add({
          sql,
          values,
          point: isPoint ? point : null,
          key: isPoint ? key : '',
          feed,
          reject,
          resolve: resolve as Job['resolve'],
          startedMs: performance.now(),
          statement: null,
          mayPrepareAgain: true,
        });
      });
    },
    depth: () => waiting.length + outstanding.length + preparing,
    oldestMs() {
      const [first] = unprepared;
      return outstanding[0]?.sentMs ?? first?.startedMs ?? Number.POSITIVE_INFINITY;
    },
    fail(error, isLate) {
      if (lost !== null) return;
      lost = error;
      const late = outstanding[0]?.jobs ?? [];
      const jobs = [...outstanding.flatMap((sent) => sent.jobs), ...waiting, ...unprepared];
      [outstanding, waiting] = [[], []];
      unprepared.clear();
      for (const job of jobs)
        job.reject(new ConnectionLostError(error.message, isLate && late.includes(job), error));
      closer.close();
    },
  };
}
