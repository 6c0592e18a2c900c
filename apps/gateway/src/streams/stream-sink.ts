import { SLICE_BYTES, type EventLoopScheduler } from '@rowhouse/admission';
import {
  LARGE_BYTES,
  RowLines,
  type ResultColumn,
  type RowLayout,
  type RowSink,
  type StatementFlow,
  type WireRows,
} from '@rowhouse/mysql';
import type { Cell, LineTail, RowFormat } from '@rowhouse/rest-engine';
import type { StreamOut } from './stream-out.js';

export interface StreamSinkOptions {
  readonly scheduler: EventLoopScheduler;
  /** The owner of the stream for the scheduler. */
  readonly owner: string;
  /** Receives the result columns, for lines that depend on them. */
  readonly onColumns?: (columns: readonly ResultColumn[]) => void;
  /** The maximum number of rows. The statement is stopped before the next one. */
  readonly rowsMax?: number;
  readonly line: (cells: readonly Cell[]) => string;
  /**
   * Returns the format for lines written directly from wire bytes, or null when that is not possible. Called
   * after `onColumns`.
   */
  readonly format?: () => RowFormat | null;
  /** Ends each line, if the format leaves lines open. Null or missing if it does not. */
  readonly tail?: LineTail | null;
  /**
   * The maximum time that a slow client may delay a statement, or null for its whole time limit.
   */
  readonly holdMsMax: number | null;
}

/** The result of one statement of a stream. */
export interface StreamPart {
  readonly rows: number;
  /** The cells of the last record, at least its keys. Null without records. */
  readonly last: readonly Cell[] | null;
  /** True when the statement had to wait for a slow client. */
  readonly wasPaused: boolean;
  /** True when the statement was ended before its last row, to release its session. */
  readonly wasEndedEarly: boolean;
}

interface LateRow {
  readonly bytes: Buffer;
  readonly start: number;
}

const LINES_BYTES = 8 * 1024;

/**
 * Creates a sink that writes rows as lines. It pauses the server while too many bytes wait for the client.
 */
export function createStreamSink(out: StreamOut, options: StreamSinkOptions): RowSink<StreamPart> {
  const { signal } = out.stop;
  const startedMs = performance.now();
  let flow: StatementFlow | null = null;
  const rowsMax = options.rowsMax ?? Number.POSITIVE_INFINITY;
  let rows = 0;
  let last: readonly Cell[] | null = null;
  let wasPaused = false;
  let wasEndedEarly = false;
  let lines: RowLines | null = null;
  let sliceBytes = 0;
  let isWaitingForClient = false;
  let isYielding = false;
  /** The rows that are not written yet, from the first large row on, and the promise of writing them. */
  const late: LateRow[] = [];
  let writingLate: Promise<void> | null = null;
  const onAbort = (): void => flow?.stop();

  function release(): void {
    wasEndedEarly = true;
    flow?.stop();
  }

  function pause(): void {
    const held = options.holdMsMax === null ? null : options.holdMsMax - (performance.now() - startedMs);
    if (held !== null && held <= 0 && wasPaused) return release();
    wasPaused = true;
    isWaitingForClient = true;
    flow?.pause();
    const timer = held === null ? undefined : setTimeout(release, Math.max(0, held));
    out.drained().then(
      () => {
        clearTimeout(timer);
        isWaitingForClient = false;
        resume();
      },
      () => clearTimeout(timer),
    );
  }

  function resume(): void {
    if (!isWaitingForClient && !isYielding && writingLate === null) flow?.resume();
  }

  /**
   * Waits for the next slice of the event loop after each `SLICE_BYTES`, so that other tenants are served.
   */
  function noteWritten(bytes: number): void {
    sliceBytes += bytes;
    if (sliceBytes < SLICE_BYTES || isYielding) return;
    sliceBytes = 0;
    isYielding = true;
    flow?.pause();
    options.scheduler.wait(options.owner, () => {
      isYielding = false;
      resume();
    });
  }

  /** Sends lines in pieces of a few kilobytes. */
  function takeLines(bytesMin: number): void {
    if (lines === null || lines.waiting() < bytesMin) return;
    const bytes = lines.take();
    out.writeBytes(bytes);
    noteWritten(bytes.length);
    if (out.isFull()) pause();
  }

  /** Waits for the client. A statement delayed for too long is ended, as in `pause`. */
  async function drainHeld(): Promise<void> {
    wasPaused = true;
    const timer =
      options.holdMsMax === null
        ? undefined
        : setTimeout(release, Math.max(0, options.holdMsMax - (performance.now() - startedMs)));
    await out.drained().finally(() => clearTimeout(timer));
  }

  /** Writes large rows and those that follow them in slices. The server waits. */
  async function writeLate(opened: RowLines): Promise<void> {
    flow?.pause();
    for (let row = late.shift(); row !== undefined; row = late.shift()) {
      for (const _slice of opened.rowSteps(row.bytes, row.start)) {
        out.writeBytes(opened.take());
        await options.scheduler.nextSlice(options.owner);
        if (out.isFull()) await drainHeld();
        if (signal.aborted) return;
      }
    }
  }

  function postpone(opened: RowLines, bytes: Buffer, start: number): void {
    late.push({ bytes, start });
    writingLate ??= writeLate(opened).finally(() => {
      writingLate = null;
      resume();
    });
    // An error aborts the stream, and is reported when the stream ends.
    writingLate.catch((error: unknown) => out.stop.abort(error));
  }

  function openLines(layout: RowLayout, format: RowFormat): WireRows {
    const opened = (lines = new RowLines(layout, format, options.tail ?? null));
    return {
      row(bytes, start, end) {
        if (rows >= rowsMax) return false;
        rows += 1;
        if (end - start > LARGE_BYTES || writingLate !== null) {
          postpone(opened, bytes, start);
          return true;
        }
        opened.row(bytes, start);
        takeLines(LINES_BYTES);
        return true;
      },
    };
  }

  return {
    columns: options.onColumns ?? null,
    wire(layout) {
      const format = options.format?.() ?? null;
      return format === null ? null : openLines(layout, format);
    },
    late: () => writingLate,
    onFlow(provided) {
      flow = provided;
      if (signal.aborted) queueMicrotask(onAbort);
      else signal.addEventListener('abort', onAbort, { once: true });
    },
    row(cells) {
      if (rows >= rowsMax) return false;
      const line = options.line(cells);
      out.write(line);
      noteWritten(line.length);
      rows += 1;
      last = cells;
      if (out.isFull()) pause();
      return true;
    },
    end() {
      signal.removeEventListener('abort', onAbort);
      if (lines !== null) {
        out.writeBytes(lines.take());
        last = lines.lastKeys();
      }
      return { rows, last, wasPaused, wasEndedEarly };
    },
  };
}
