import { WritesPausedError, ConnectionLostError, isLockFault, isStaleHandle } from '../faults.js';
import { settle, toPairPart, type Settled } from '../session/statement-sender.js';
import type { PairedStatement, ShortWrite, StatementResult } from '../types.js';
import { ExecuteResponse, isReadable, type WireStatement } from './execute-response.js';
import { FIRST_SEQUENCE_ID, type WireCommand, type WirePacket } from './driver-wire.js';
import { encodeCommand, encodeExecute, encodePing } from './encode-execute.js';
import { NO_FEED, NO_STATEMENT, type PairPart } from './send-execute.js';
import {
  NotPipelinableError,
  type PipelineHost,
  type PipelinedConnectionBase,
} from './pipelined-connection.js';
import { createPipelineCloser } from './pipeline-closer.js';

/** The functions of a session that grouped writes need. */
export interface WritePipelineHost extends PipelineHost {
  /** Returns whether writes of the account are paused, so that nothing may be sent. */
  isPaused(): boolean;
  /**
   * Reports the response to a write. If there is a `fault`, the write was rejected and now runs on a separate
   * session.
   */
  onResponse(sql: string, fault: Error | null): void;
}

/** The results of a write and of its read. `read` is null without a read. */
export interface Written<A, B> {
  readonly written: StatementResult<A>;
  readonly read: Settled<B> | null;
}

/**
 * Runs writes of single records on one connection. Writes that arrive while others run form the next group. A
 * group is one transaction that is sent at once, so it waits for the disk once. Each write has the same
 * result as on a separate session. An error only affects its own write. Callers get results after the
 * COMMIT. The session's settings disable lock waits, because they would delay the other writes of the group.
 */
export interface WritePipeline extends PipelinedConnectionBase {
  /**
   * Runs a write. Rejects with NotPipelinableError if nothing took effect and the write must run on a
   * separate session, with WritesPausedError if writes are paused, with ConnectionLostError if the outcome is
   * unknown, and with DatabaseFault if the COMMIT was rejected.
   */
  run<A, B>(write: ShortWrite<A, B>): Promise<Written<A, B>>;
}

/** The maximum number of writes in one transaction. Their rows stay locked until the transaction ends. */
const GROUP_MAX = 32;
/** The size of a transaction in bytes above which no more writes are added to it. */
const GROUP_BYTES_MAX = 262_144;
const START = encodeCommand('START TRANSACTION');
const COMMIT = encodeCommand('COMMIT');
const PING = encodePing();

interface Job {
  readonly write: ShortWrite<unknown, unknown>;
  readonly statements: WireStatement[];
  readonly startedMs: number;
  /**
   * Whether the write is retried in the next group after a lock conflict. The lock is most likely released by
   * then.
   */
  mayRetryLock: boolean;
  readonly resolve: (written: Written<unknown, unknown>) => void;
  readonly reject: (error: unknown) => void;
}

interface SentPart {
  readonly part: PairPart;
  readonly response: ExecuteResponse;
}

interface SentJob {
  readonly job: Job;
  readonly write: SentPart;
  readonly read: SentPart | null;
}

/** The writes that were sent as one transaction. */
interface Group {
  readonly jobs: readonly SentJob[];
  /** The expected responses, in the order in which they arrive. */
  readonly responses: readonly ExecuteResponse[];
  /**
   * The response to a ping, which shows whether the transaction is still open, and the response to the
   * COMMIT. Null for a single write, which commits by itself.
   */
  readonly end: { readonly state: ExecuteResponse; readonly commit: ExecuteResponse } | null;
  readonly sentMs: number;
  /** The number of responses that are complete. */
  completed: number;
}

export function createWritePipeline(host: WritePipelineHost): WritePipeline {
  const { wire } = host;
  const options = { hasMore: wire._mariadbExtendedMetadata, takesAll: false };
  const writeOptions = { ...options, takesAll: true };
  /** Jobs whose statements are being prepared. */
  const unprepared = new Set<Job>();
  let waiting: Job[] = [];
  let group: Group | null = null;
  let isScheduled = false;
  let lost: Error | null = null;
  const closer = createPipelineCloser({
    drainMs: host.drainMs,
    isIdle: () => waiting.length === 0 && group === null && unprepared.size === 0,
    onClosed: () => host.onIdle(),
  });

  function prepare(job: Job): void {
    unprepared.add(job);
    const texts = [job.write.write, job.write.read].filter((part) => part !== null).map(({ sql }) => sql);
    const next = (): void => {
      const sql = texts[job.statements.length];
      const onReady = (statement: WireStatement): void => {
        job.statements.push(statement);
        next();
      };
      if (sql !== undefined) return host.prepare(sql, onReady, (error) => leave(job, error));
      if (!unprepared.delete(job)) return;
      waiting.push(job);
      schedule();
    };
    next();
  }

  /**
   * Rejects a job, so that it runs on a separate session. That session then reports why its statement cannot
   * be prepared.
   */
  function leave(job: Job, error: unknown): void {
    if (!unprepared.delete(job)) return;
    job.reject(new NotPipelinableError('not prepared', { cause: error }));
    schedule();
  }

  /** Sends the next group soon, after the driver has sent every PREPARE. */
  function schedule(): void {
    if (isScheduled || group !== null || unprepared.size > 0) return;
    isScheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    isScheduled = false;
    if (lost !== null || group !== null || unprepared.size > 0) return;
    if (waiting.length === 0) return closer.checkIdle();
    if (host.isPaused()) {
      for (const job of waiting.splice(0)) job.reject(new WritesPausedError());
      return closer.checkIdle();
    }
    const { sent, buffers } = takeGroup();
    if (sent.length === 0) return schedule();
    const end = sent.length === 1 ? null : { state: toNothing(), commit: toNothing() };
    const own = sent.flatMap(({ write, read }) =>
      read === null ? [write.response] : [write.response, read.response],
    );
    group = {
      jobs: sent,
      responses: end === null ? own : [toNothing(), ...own, end.state, end.commit],
      end,
      sentMs: performance.now(),
      completed: 0,
    };
    wire.addCommand(
      toCommand(group, Buffer.concat(end === null ? buffers : [START, ...buffers, PING, COMMIT])),
    );
  }

  function takeGroup(): { readonly sent: readonly SentJob[]; readonly buffers: readonly Buffer[] } {
    const sent: SentJob[] = [];
    const buffers: Buffer[] = [];
    let bytes = 0;
    let takenCount = 0;
    for (const job of waiting) {
      if (sent.length === GROUP_MAX || bytes > GROUP_BYTES_MAX) break;
      takenCount += 1;
      const item = encode(job);
      if (item === null) continue;
      sent.push(item.sent);
      for (const buffer of item.buffers) bytes += buffers.push(buffer) && buffer.length;
    }
    waiting.splice(0, takenCount);
    return { sent, buffers };
  }

  /**
   * Returns the packets of a job. If the job cannot be sent on this connection, it is rejected and null is
   * returned.
   */
  function encode(job: Job): { readonly sent: SentJob; readonly buffers: readonly Buffer[] } | null {
    const { write, read } = job.write;
    const [first, second] = job.statements as [WireStatement, WireStatement | undefined];
    try {
      const parts =
        read === null || second === undefined
          ? [{ statement: first, values: write.values }]
          : [
              { statement: first, values: write.values },
              { statement: second, values: read.values },
            ];
      const buffers = parts
        .map(({ statement, values }) => (isReadable(statement) ? encodeExecute(statement.id, values) : null))
        .filter((bytes) => bytes !== null);
      if (buffers.length < parts.length)
        throw new NotPipelinableError('too large, or columns that only the driver can read');
      return {
        buffers,
        sent: {
          job,
          write: toSent(first, write, writeOptions),
          read: read === null || second === undefined ? null : toSent(second, read, options),
        },
      };
    } catch (error) {
      job.reject(error);
      return null;
    }
  }

  function toSent(
    statement: WireStatement,
    provided: PairedStatement<unknown>,
    responseOptions: typeof options,
  ): SentPart {
    const part = toPairPart(statement, {
      sql: provided.sql,
      values: provided.values,
      sink: provided.makeSink(),
    });
    return { part, response: new ExecuteResponse(statement, part.feed, responseOptions) };
  }

  function toNothing(): ExecuteResponse {
    return new ExecuteResponse(NO_STATEMENT, NO_FEED, options);
  }

  function toCommand(sent: Group, bytes: Buffer): WireCommand {
    return {
      execute(packet) {
        if (packet !== undefined) return takePacket(sent, packet);
        wire.sequenceId = FIRST_SEQUENCE_ID;
        wire.compressedSequenceId = 0;
        wire.write(bytes);
        return false;
      },
      onResult: (error) => host.onLost(error),
    };
  }

  function takePacket(sent: Group, packet: WirePacket): boolean {
    const response = sent.responses[sent.completed];
    if (response === undefined) return true;
    if (response.isAwaited && packet.sequenceId !== FIRST_SEQUENCE_ID) {
      host.onLost(new Error('the server sent a packet that belongs to no request'));
      return true;
    }
    if (!response.take(packet)) return false;
    sent.completed += 1;
    // The driver counts the packets of one command. Here, one command reads several responses, and the count
    // starts again with each of them.
    wire.sequenceId = FIRST_SEQUENCE_ID;
    if (sent.completed < sent.responses.length) return false;
    group = null;
    finish(sent);
    schedule();
    return true;
  }

  function finish({ jobs, end }: Group): void {
    const outcome =
      end === null
        ? COMMITTED
        : readOutcome(
            end,
            jobs.some(({ write }) => write.response.fault !== null),
          );
    for (const sent of jobs) finishJob(sent, outcome);
    // After a rejected COMMIT, the state of the session's transaction is unknown.
    const rejected = end?.commit.fault ?? null;
    if (rejected !== null) host.onLost(rejected);
  }

  function finishJob({ job, write, read }: SentJob, { failure }: TransactionOutcome): void {
    const { fault, isInTransaction } = write.response;
    if (fault instanceof ConnectionLostError) return job.reject(fault);
    if (fault !== null) {
      if (isLockFault(fault) && job.mayRetryLock) return retryOnce(job);
      if (isStaleHandle(fault)) host.forget(job.write.write.sql);
      host.onResponse(job.write.write.sql, fault);
      return job.reject(new NotPipelinableError('the server rejected it', { cause: fault }));
    }
    host.onResponse(job.write.write.sql, null);
    // If the server rolled the transaction back earlier, this write ran after that, was committed by itself,
    // and is not affected.
    if (failure !== null && isInTransaction) return job.reject(failure);
    const written = settle(write.part, null, job.startedMs);
    if (written.kind === 'failed') return job.reject(written.error);
    const readFault = read?.response.fault ?? null;
    if (isStaleHandle(readFault)) host.forget(job.write.read?.sql ?? '');
    job.resolve({
      written: written.result,
      read: read === null ? null : settle(read.part, readFault, job.startedMs),
    });
  }

  function retryOnce(job: Job): void {
    job.mayRetryLock = false;
    waiting.push(job);
  }

  return {
    run<A, B>(write: ShortWrite<A, B>) {
      if (lost !== null)
        return Promise.reject(new NotPipelinableError('the session has ended', { cause: lost }));
      return new Promise<Written<A, B>>((resolve, reject) => {
        prepare({
          write,
          statements: [],
          startedMs: performance.now(),
          mayRetryLock: true,
          resolve: resolve as Job['resolve'],
          reject,
        });
      });
    },
    depth: () => waiting.length + (group?.jobs.length ?? 0) + unprepared.size,
    oldestMs() {
      const [first] = unprepared;
      return group?.sentMs ?? first?.startedMs ?? Number.POSITIVE_INFINITY;
    },
    fail(error, isLate) {
      if (lost !== null) return;
      lost = error;
      const sent = group?.jobs ?? [];
      const unsent = [...waiting, ...unprepared];
      [group, waiting] = [null, []];
      unprepared.clear();
      for (const { job } of sent) job.reject(new ConnectionLostError(error.message, isLate, error));
      for (const job of unsent)
        job.reject(new NotPipelinableError('the session has ended', { cause: error }));
      closer.close();
    },
  };
}

/**
 * The outcome of a transaction. `failure` is the reason why the transaction has no effect, or may have none.
 * It is null after a success.
 */
interface TransactionOutcome {
  readonly failure: Error | null;
}

const COMMITTED: TransactionOutcome = { failure: null };

/**
 * Returns the outcome of a transaction. The transaction had no effect if the server rolled it back or
 * rejected its COMMIT because of a lock. If it ended without an error, its outcome is unknown.
 */
function readOutcome({ state, commit }: NonNullable<Group['end']>, hasFault: boolean): TransactionOutcome {
  const rejected = commit.fault ?? state.fault;
  if (rejected !== null)
    return {
      failure: isLockFault(rejected)
        ? new NotPipelinableError('its COMMIT met a lock', { cause: rejected })
        : rejected,
    };
  if (state.isInTransaction) return COMMITTED;
  return {
    failure: hasFault
      ? new NotPipelinableError('its transaction was rolled back')
      : new ConnectionLostError('its transaction ended before its COMMIT'),
  };
}
