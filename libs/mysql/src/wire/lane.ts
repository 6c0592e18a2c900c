import { ConnectionLost, isStaleHandle } from '../pool-fault.js';
import { createRowFeed, type RowFeed } from '../pool-row-feed.js';
import type { BindValue, RowSink, StatementResult } from '../pool-types.js';
import { isReadable, openAnswer, UnreadableColumns, type Answer } from './answer.js';
import type { WireStatement } from './answer-decoder.js';
import type { DriverWire, WireCommand, WirePacket } from './driver-wire.js';
import { encodeExecute } from './encode-execute.js';

/** The lane cannot carry this statement. It changed nothing, and is to be sent as any other. */
export class NotForLane extends Error {}

/** What a lane needs of the session whose connection it has. */
export interface LaneHost {
  readonly wire: DriverWire;
  /** The statement on this session: at once when it is prepared already. */
  prepare(sql: string, onReady: (statement: WireStatement) => void, onFault: (error: unknown) => void): void;
  forget(sql: string): void;
  /** Nothing waits and nothing is owed. */
  onIdle(): void;
  onLost(error: Error): void;
}

/**
 * Many short statements on one connection: those that arrive in one turn of the event loop leave in one write, and the
 * answers come in their order. A statement that is slow holds up those behind it, so this is for reads of a row by its
 * key. An error is its own statement's alone; a lost connection is everybody's.
 */
export interface Lane {
  /** Rejects with DatabaseFault, ConnectionLost, NotForLane, or what the sink threw. */
  run<R>(sql: string, values: readonly BindValue[], sink: RowSink<R>): Promise<StatementResult<R>>;
  /** Statements that wait or are under way. */
  depth(): number;
  /** When the statement was sent that is owed the longest; infinite when none is. */
  oldestMs(): number;
  /** The session has ended: everybody is told, once. `isLate`: the one that is owed the longest ran too long. */
  fail(error: Error, isLate: boolean): void;
}

interface Job {
  readonly sql: string;
  readonly values: readonly BindValue[];
  readonly feed: RowFeed<unknown>;
  readonly startedMs: number;
  readonly resolve: (result: StatementResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
  statement: WireStatement | null;
  answer: Answer | null;
  sentMs: number;
  mayPrepareAgain: boolean;
}

export function createLane(host: LaneHost): Lane {
  const { wire } = host;
  let waiting: Job[] = [];
  let owed: Job[] = [];
  let preparing = 0;
  let isActive = false;
  let isScheduled = false;
  let lost: Error | null = null;

  const command: WireCommand = {
    execute(packet) {
      if (packet === undefined) {
        isActive = true;
        send();
      } else {
        takePacket(packet);
      }
      if (owed.length > 0) return false;
      isActive = false;
      settle();
      return true;
    },
    onResult: (error) => host.onLost(error),
  };

  /** PREPARE waits in the driver's queue until nothing is owed, so nothing is sent before it. */
  function prepare(job: Job): void {
    preparing += 1;
    host.prepare(
      job.sql,
      (statement) => {
        preparing -= 1;
        job.statement = statement;
        waiting.push(job);
        schedule();
      },
      (error) => {
        preparing -= 1;
        job.reject(error);
        schedule();
      },
    );
  }

  function schedule(): void {
    if (isScheduled || preparing > 0) return;
    isScheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    isScheduled = false;
    if (lost !== null || preparing > 0) return;
    if (waiting.length === 0) return settle();
    if (isActive) send();
    else wire.addCommand(command);
  }

  function send(): void {
    const buffers: Buffer[] = [];
    const isFirst = owed.length === 0;
    const nowMs = performance.now();
    for (const job of waiting) {
      const bytes = job.statement !== null && isReadable(job.statement) ? encodeExecute(job.statement.id, job.values) : null;
      if (job.statement === null || bytes === null) {
        job.reject(new NotForLane('too large, or columns that only the driver can read'));
        continue;
      }
      job.answer = openAnswer(wire, job.statement, job.feed);
      job.sentMs = nowMs;
      buffers.push(bytes);
      owed.push(job);
    }
    waiting = [];
    if (buffers.length === 0) return;
    if (isFirst) wire.sequenceId = 1;
    wire.compressedSequenceId = 0;
    wire.write(buffers.length === 1 ? (buffers[0] as Buffer) : Buffer.concat(buffers));
  }

  function takePacket(packet: WirePacket): void {
    const [job] = owed;
    if (job?.answer?.take(packet) !== true) return;
    owed.shift();
    // The driver counts packets within one command; here each answer begins anew.
    wire.sequenceId = 1;
    finish(job);
  }

  function finish(job: Job): void {
    const fault = job.answer?.fault() ?? null;
    if (fault === null) return job.feed.finish(performance.now() - job.startedMs, job.resolve, job.reject);
    if (fault instanceof UnreadableColumns) return job.reject(new NotForLane('columns that only the driver can read'));
    if (!isStaleHandle(fault) || !job.mayPrepareAgain) return job.reject(fault);
    job.mayPrepareAgain = false;
    host.forget(job.sql);
    prepare(job);
  }

  function settle(): void {
    if (lost === null && waiting.length === 0 && owed.length === 0 && preparing === 0) host.onIdle();
  }

  return {
    run<R>(sql: string, values: readonly BindValue[], sink: RowSink<R>) {
      if (lost !== null) return Promise.reject(new ConnectionLost('the session has ended', false, lost));
      // Descriptions of columns and a hand on the flow are the driver's to give.
      if (sink.columns !== null || sink.onFlow !== undefined) return Promise.reject(new NotForLane('not a sink for it'));
      return new Promise<StatementResult<R>>((resolve, reject) => {
        const feed = createRowFeed(sink, () => undefined) as RowFeed<unknown>;
        prepare({
          sql, values, feed, reject, resolve: resolve as Job['resolve'], startedMs: performance.now(),
          statement: null, answer: null, sentMs: 0, mayPrepareAgain: true,
        });
      });
    },
    depth: () => waiting.length + owed.length + preparing,
    oldestMs: () => owed[0]?.sentMs ?? Number.POSITIVE_INFINITY,
    fail(error, isLate) {
      if (lost !== null) return;
      lost = error;
      const jobs = [...owed, ...waiting];
      [owed, waiting] = [[], []];
      jobs.forEach((job, at) => job.reject(new ConnectionLost(error.message, isLate && at === 0, error)));
      host.onIdle();
    },
  };
}
