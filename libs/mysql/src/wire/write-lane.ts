import { AccountShut, ConnectionLost, isLockFault, isStaleHandle } from '../pool-fault.js';
import { settle, toPairPart, type Settled } from '../pool-pair.js';
import type { PairedStatement, ShortWrite, StatementResult } from '../pool-types.js';
import { Answer, isReadable, type WireStatement } from './answer.js';
import { FIRST_SEQUENCE_ID, type WireCommand, type WirePacket } from './driver-wire.js';
import { encodeCommand, encodeExecute, encodePing } from './encode-execute.js';
import { NO_FEED, NO_STATEMENT, type PairPart } from './execute-pair.js';
import { NotForLane, type LaneHost, type OwedLane } from './lane.js';
import { createLaneEnd } from './lane-end.js';

/** What a lane of writes needs of the session whose connection it has, and of the account's writes. */
export interface WriteLaneHost extends LaneHost {
  /** The account's writes are held: nothing may be sent from now on. */
  isShut(): boolean;
  /** What the server said to the write: null, or why it refused it, which is to run by itself now. */
  onAnswered(sql: string, fault: Error | null): void;
}

/** What a write has come to: `read` is null where there was none to make, or where it has still to be made. */
export interface Written<A, B> {
  readonly written: StatementResult<A>;
  readonly read: Settled<B> | null;
}

/**
 * Writes of single records on one connection. Those that arrive while others are under way go together when these are
 * over: in one transaction, sent at once, so that they wait for the disk once. Each has what it would have come to by
 * itself: an error is its own statement's, and nobody is answered before the COMMIT is. The session waits for no lock
 * (its settings say so), since those behind would wait, too.
 */
export interface WriteLane extends OwedLane {
  /**
   * Rejects with NotForLane where nothing of it has taken effect and it is to run by itself, with AccountShut, with
   * ConnectionLost where it may have happened, with DatabaseFault where the COMMIT was refused.
   */
  run<A, B>(write: ShortWrite<A, B>): Promise<Written<A, B>>;
}

/** Writes in one transaction: their rows stay locked until its end. No more is added once they come to so many bytes. */
const GROUP_MAX = 32;
const GROUP_BYTES_MAX = 262_144;
const START = encodeCommand('START TRANSACTION');
const COMMIT = encodeCommand('COMMIT');
const PING = encodePing();

interface Job {
  readonly write: ShortWrite<unknown, unknown>;
  readonly statements: WireStatement[];
  readonly startedMs: number;
  /** Who had its row has let go of it by the next time, most likely. */
  mayBeLocked: boolean;
  readonly resolve: (written: Written<unknown, unknown>) => void;
  readonly reject: (error: unknown) => void;
}

interface SentPart {
  readonly part: PairPart;
  readonly answer: Answer;
}

interface SentJob {
  readonly job: Job;
  readonly write: SentPart;
  readonly read: SentPart | null;
}

/** What was sent at once. */
interface Group {
  readonly jobs: readonly SentJob[];
  /** In the order in which they come. */
  readonly answers: readonly Answer[];
  /** What tells whether its transaction still stood at its end, and the COMMIT; null: each write commits by itself. */
  readonly end: { readonly state: Answer; readonly commit: Answer } | null;
  readonly sentMs: number;
  at: number;
}

export function createWriteLane(host: WriteLaneHost): WriteLane {
  const { wire } = host;
  const options = { hasMore: wire._mariadbExtendedMetadata, takesAll: false };
  const writeOptions = { ...options, takesAll: true };
  /** Whose statements are being prepared. */
  const unprepared = new Set<Job>();
  let waiting: Job[] = [];
  let group: Group | null = null;
  let isScheduled = false;
  let lost: Error | null = null;
  const ending = createLaneEnd({ lingerMs: host.lingerMs, isIdle: () => waiting.length === 0 && group === null && unprepared.size === 0, onOver: () => host.onIdle() });

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

  /** What cannot be prepared here has its error from the ordinary road. */
  function leave(job: Job, error: unknown): void {
    if (!unprepared.delete(job)) return;
    job.reject(new NotForLane('not prepared', { cause: error }));
    schedule();
  }

  /** PREPARE waits in the driver's queue, so that nothing is sent before it. */
  function schedule(): void {
    if (isScheduled || group !== null || unprepared.size > 0) return;
    isScheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    isScheduled = false;
    if (lost !== null || group !== null || unprepared.size > 0) return;
    if (waiting.length === 0) return ending.rest();
    if (host.isShut()) {
      for (const job of waiting.splice(0)) job.reject(new AccountShut());
      return ending.rest();
    }
    const { sent, buffers } = takeGroup();
    if (sent.length === 0) return schedule();
    const end = sent.length === 1 ? null : { state: toNothing(), commit: toNothing() };
    const own = sent.flatMap(({ write, read }) => (read === null ? [write.answer] : [write.answer, read.answer]));
    group = { jobs: sent, answers: end === null ? own : [toNothing(), ...own, end.state, end.commit], end, sentMs: performance.now(), at: 0 };
    wire.addCommand(toCommand(group, Buffer.concat(end === null ? buffers : [START, ...buffers, PING, COMMIT])));
  }

  function takeGroup(): { readonly sent: readonly SentJob[]; readonly buffers: readonly Buffer[] } {
    const sent: SentJob[] = [];
    const buffers: Buffer[] = [];
    let bytes = 0;
    let taken = 0;
    for (const job of waiting) {
      if (sent.length === GROUP_MAX || bytes > GROUP_BYTES_MAX) break;
      taken += 1;
      const one = encode(job);
      if (one === null) continue;
      sent.push(one.sent);
      for (const buffer of one.buffers) bytes += buffers.push(buffer) && buffer.length;
    }
    waiting.splice(0, taken);
    return { sent, buffers };
  }

  /** Null: it does not fit here, and has been told so. */
  function encode(job: Job): { readonly sent: SentJob; readonly buffers: readonly Buffer[] } | null {
    const { write, read } = job.write;
    const [first, second] = job.statements as [WireStatement, WireStatement | undefined];
    try {
      const parts = read === null || second === undefined ? [{ statement: first, values: write.values }] : [{ statement: first, values: write.values }, { statement: second, values: read.values }];
      const buffers = parts.map(({ statement, values }) => (isReadable(statement) ? encodeExecute(statement.id, values) : null)).filter((bytes) => bytes !== null);
      if (buffers.length < parts.length) throw new NotForLane('too large, or columns that only the driver can read');
      return { buffers, sent: { job, write: toSent(first, write, writeOptions), read: read === null || second === undefined ? null : toSent(second, read, options) } };
    } catch (error) {
      job.reject(error);
      return null;
    }
  }

  function toSent(statement: WireStatement, given: PairedStatement<unknown>, answerOptions: typeof options): SentPart {
    const part = toPairPart(statement, { sql: given.sql, values: given.values, sink: given.makeSink() });
    return { part, answer: new Answer(statement, part.feed, answerOptions) };
  }

  function toNothing(): Answer {
    return new Answer(NO_STATEMENT, NO_FEED, options);
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
    const answer = sent.answers[sent.at];
    if (answer === undefined) return true;
    if (answer.isAwaited && packet.sequenceId !== FIRST_SEQUENCE_ID) {
      host.onLost(new Error('the server sent what was not asked for'));
      return true;
    }
    if (!answer.take(packet)) return false;
    sent.at += 1;
    // The driver counts packets within one command; here each answer begins anew.
    wire.sequenceId = FIRST_SEQUENCE_ID;
    if (sent.at < sent.answers.length) return false;
    group = null;
    finish(sent);
    schedule();
    return true;
  }

  function finish({ jobs, end }: Group): void {
    const fate = end === null ? KEPT : readFate(end, jobs.some(({ write }) => write.answer.fault !== null));
    for (const sent of jobs) finishJob(sent, fate);
    // What the session has open, and whether anything, is not known any more.
    const refused = end?.commit.fault ?? null;
    if (refused !== null) host.onLost(refused);
  }

  /** `undone`: why what was in the transaction is not there, or may not be. */
  function finishJob({ job, write, read }: SentJob, { undone }: Fate): void {
    const { fault, isInTransaction } = write.answer;
    if (fault instanceof ConnectionLost) return job.reject(fault);
    if (fault !== null) {
      if (isLockFault(fault) && job.mayBeLocked) return waitOnce(job);
      if (isStaleHandle(fault)) host.forget(job.write.write.sql);
      host.onAnswered(job.write.write.sql, fault);
      return job.reject(new NotForLane('the server refused it', { cause: fault }));
    }
    host.onAnswered(job.write.write.sql, null);
    // What came behind a rollback of the server's own has committed by itself.
    if (undone !== null && isInTransaction) return job.reject(undone);
    const written = settle(write.part, null, job.startedMs);
    if (written.kind === 'failed') return job.reject(written.error);
    const readFault = read?.answer.fault ?? null;
    if (isStaleHandle(readFault)) host.forget(job.write.read?.sql ?? '');
    job.resolve({ written: written.result, read: read === null ? null : settle(read.part, readFault, job.startedMs) });
  }

  function waitOnce(job: Job): void {
    job.mayBeLocked = false;
    waiting.push(job);
  }

  return {
    run<A, B>(write: ShortWrite<A, B>) {
      if (lost !== null) return Promise.reject(new NotForLane('the session has ended', { cause: lost }));
      return new Promise<Written<A, B>>((resolve, reject) => {
        prepare({ write, statements: [], startedMs: performance.now(), mayBeLocked: true, resolve: resolve as Job['resolve'], reject });
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
      for (const { job } of sent) job.reject(new ConnectionLost(error.message, isLate, error));
      for (const job of unsent) job.reject(new NotForLane('the session has ended', { cause: error }));
      ending.close();
    },
  };
}

/** What became of a transaction. */
interface Fate {
  readonly undone: Error | null;
}

const KEPT: Fate = { undone: null };

/** A transaction that the server took back on its own, or whose COMMIT was not let in for a lock, has done nothing. Without a fault nobody knows. */
function readFate({ state, commit }: NonNullable<Group['end']>, hasFault: boolean): Fate {
  const refused = commit.fault ?? state.fault;
  if (refused !== null) return { undone: isLockFault(refused) ? new NotForLane('its COMMIT was not let in', { cause: refused }) : refused };
  if (state.isInTransaction) return KEPT;
  return { undone: hasFault ? new NotForLane('its transaction was taken back') : new ConnectionLost('its transaction ended before its COMMIT') };
}
