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

/** The session's services for grouped writes. */
export interface WritePipelineHost extends PipelineHost {
  /** Whether writes of the account are paused, so nothing may be sent. */
  isClosed(): boolean;
  /** Reports the server's response to a write: null, or why it was rejected and now runs separately. */
  onAnswered(sql: string, fault: Error | null): void;
}

/** The result of a write. `read` is null without a read, or when it must still run. */
export interface Written<A, B> {
  readonly written: StatementResult<A>;
  readonly read: Settled<B> | null;
}

/**
 * Writes of single records on one connection. Writes that arrive while others are running form the next
 * group. A group is one transaction, sent at once, so it waits for the disk once. Each write gets the result
 * that it would have had separately. Errors only affect their own statement, and responses are sent after the
 * COMMIT. The session's settings disable lock waits, because they would delay the writes after it.
 */
export interface WritePipeline extends PipelinedConnectionBase {
  /**
   * Rejects with NotPipelinableError when nothing took effect and the write must run separately, with
   * WritesPausedError, with ConnectionLostError when the outcome is unknown, and with DatabaseFault when the
   * COMMIT was rejected.
   */
  run<A, B>(write: ShortWrite<A, B>): Promise<Written<A, B>>;
}

/**
 * The maximum number of writes in one transaction, because their rows stay locked until its end. No more are
 * added beyond this size in bytes.
 */
const GROUP_MAX = 32;
const GROUP_BYTES_MAX = 262_144;
const START = encodeCommand('START TRANSACTION');
const COMMIT = encodeCommand('COMMIT');
const PING = encodePing();

interface Job {
  readonly write: ShortWrite<unknown, unknown>;
  readonly statements: WireStatement[];
  readonly startedMs: number;
  /** Whether the row may have been locked. The other writer has most likely released it by the next group. */
  mayBeLocked: boolean;
  readonly resolve: (written: Written<unknown, unknown>) => void;
  readonly reject: (error: unknown) => void;
}

interface SentPart {
  readonly part: PairPart;
  readonly answer: ExecuteResponse;
}

interface SentJob {
  readonly job: Job;
  readonly write: SentPart;
  readonly read: SentPart | null;
}

/** Statements that were sent at once. */
interface Group {
  readonly jobs: readonly SentJob[];
  /** In the order in which they arrive. */
  readonly answers: readonly ExecuteResponse[];
  /**
   * Whether the transaction was still open at its end, and the COMMIT. Null when each write commits by
   * itself.
   */
  readonly end: { readonly state: ExecuteResponse; readonly commit: ExecuteResponse } | null;
  readonly sentMs: number;
  at: number;
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
  const ending = createPipelineCloser({
    drainMs: host.drainMs,
    isIdle: () => waiting.length === 0 && group === null && unprepared.size === 0,
    onOver: () => host.onIdle(),
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

  /** A statement that cannot be prepared here gets its error on the plain path. */
  function leave(job: Job, error: unknown): void {
    if (!unprepared.delete(job)) return;
    job.reject(new NotPipelinableError('not prepared', { cause: error }));
    schedule();
  }

  /** PREPARE waits in the driver's queue, so nothing is sent before it. */
  function schedule(): void {
    if (isScheduled || group !== null || unprepared.size > 0) return;
    isScheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    isScheduled = false;
    if (lost !== null || group !== null || unprepared.size > 0) return;
    if (waiting.length === 0) return ending.rest();
    if (host.isClosed()) {
      for (const job of waiting.splice(0)) job.reject(new WritesPausedError());
      return ending.rest();
    }
    const { sent, buffers } = takeGroup();
    if (sent.length === 0) return schedule();
    const end = sent.length === 1 ? null : { state: toNothing(), commit: toNothing() };
    const own = sent.flatMap(({ write, read }) =>
      read === null ? [write.answer] : [write.answer, read.answer],
    );
    group = {
      jobs: sent,
      answers: end === null ? own : [toNothing(), ...own, end.state, end.commit],
      end,
      sentMs: performance.now(),
      at: 0,
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

  /** Returns null when the job does not fit here and has been rejected. */
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
    answerOptions: typeof options,
  ): SentPart {
    const part = toPairPart(statement, {
      sql: provided.sql,
      values: provided.values,
      sink: provided.makeSink(),
    });
    return { part, answer: new ExecuteResponse(statement, part.feed, answerOptions) };
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
    const response = sent.answers[sent.at];
    if (response === undefined) return true;
    if (response.isAwaited && packet.sequenceId !== FIRST_SEQUENCE_ID) {
      host.onLost(new Error('the server sent a packet that belongs to no request'));
      return true;
    }
    if (!response.take(packet)) return false;
    sent.at += 1;
    // The driver counts packets within one command. Here, each response starts again.
    wire.sequenceId = FIRST_SEQUENCE_ID;
    if (sent.at < sent.answers.length) return false;
    group = null;
    finish(sent);
    schedule();
    return true;
  }

  function finish({ jobs, end }: Group): void {
    const fate =
      end === null
        ? UNCHANGED
        : readFate(
            end,
            jobs.some(({ write }) => write.answer.fault !== null),
          );
    for (const sent of jobs) finishJob(sent, fate);
    // The state of the session's transaction is unknown now.
    const rejected = end?.commit.fault ?? null;
    if (rejected !== null) host.onLost(rejected);
  }

  /** `undone` is the reason why the transaction has no effect, or may have none. */
  function finishJob({ job, write, read }: SentJob, { undone }: TransactionOutcome): void {
    const { fault, isInTransaction } = write.answer;
    if (fault instanceof ConnectionLostError) return job.reject(fault);
    if (fault !== null) {
      if (isLockFault(fault) && job.mayBeLocked) return waitOnce(job);
      if (isStaleHandle(fault)) host.forget(job.write.write.sql);
      host.onAnswered(job.write.write.sql, fault);
      return job.reject(new NotPipelinableError('the server refused it', { cause: fault }));
    }
    host.onAnswered(job.write.write.sql, null);
    // A statement after a rollback by the server was autocommitted.
    if (undone !== null && isInTransaction) return job.reject(undone);
    const written = settle(write.part, null, job.startedMs);
    if (written.kind === 'failed') return job.reject(written.error);
    const readFault = read?.answer.fault ?? null;
    if (isStaleHandle(readFault)) host.forget(job.write.read?.sql ?? '');
    job.resolve({
      written: written.result,
      read: read === null ? null : settle(read.part, readFault, job.startedMs),
    });
  }

  function waitOnce(job: Job): void {
    job.mayBeLocked = false;
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
          mayBeLocked: true,
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
      ending.close();
    },
  };
}

/** The outcome of a transaction. */
interface TransactionOutcome {
  readonly undone: Error | null;
}

const UNCHANGED: TransactionOutcome = { undone: null };

/**
 * A transaction that the server rolled back, or whose COMMIT was rejected for a lock, did nothing. Without a
 * fault, the outcome is unknown.
 */
function readFate({ state, commit }: NonNullable<Group['end']>, hasFault: boolean): TransactionOutcome {
  const rejected = commit.fault ?? state.fault;
  if (rejected !== null)
    return {
      undone: isLockFault(rejected)
        ? new NotPipelinableError('its COMMIT was not let in', { cause: rejected })
        : rejected,
    };
  if (state.isInTransaction) return UNCHANGED;
  return {
    undone: hasFault
      ? new NotPipelinableError('its transaction was taken back')
      : new ConnectionLostError('its transaction ended before its COMMIT'),
  };
}
