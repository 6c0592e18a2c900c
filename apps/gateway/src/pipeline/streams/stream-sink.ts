import type { ResultColumn, RowSink, StatementFlow } from '@rowhouse/mysql';
import type { Cell } from '@rowhouse/rest-engine';
import type { StreamOut } from './stream-out.js';

export interface StreamSinkOptions {
  /** For lines that depend on what the statement gives. */
  readonly onColumns?: (columns: readonly ResultColumn[]) => void;
  /** The statement is stopped before the row behind these. */
  readonly rowsMax?: number;
  readonly line: (cells: readonly Cell[]) => string;
  /** How long a statement may be held by a client that takes its rows slowly; null: as long as it may run. */
  readonly holdMsMax: number | null;
}

/** What a statement gave to a stream. */
export interface StreamPart {
  readonly rows: number;
  /** The last record that was written; null where there was none. */
  readonly last: readonly Cell[] | null;
  /** The client took its rows so slowly that the statement had to wait. */
  readonly wasPaused: boolean;
  /** The statement was ended before its last row, to give its session back. */
  readonly isGivenBack: boolean;
}

/** Rows to lines, as fast as the client takes them: while too much waits for it, the server waits too. */
export function createStreamSink(out: StreamOut, options: StreamSinkOptions): RowSink<StreamPart> {
  const { signal } = out.stop;
  const startedMs = performance.now();
  let flow: StatementFlow | null = null;
  const rowsMax = options.rowsMax ?? Number.POSITIVE_INFINITY;
  let rows = 0;
  let last: readonly Cell[] | null = null;
  let wasPaused = false;
  let isGivenBack = false;
  const onAbort = (): void => flow?.stop();

  function giveBack(): void {
    isGivenBack = true;
    flow?.stop();
  }

  function pause(): void {
    const held = options.holdMsMax === null ? null : options.holdMsMax - (performance.now() - startedMs);
    if (held !== null && held <= 0 && wasPaused) return giveBack();
    wasPaused = true;
    flow?.pause();
    const timer = held === null ? undefined : setTimeout(giveBack, Math.max(0, held));
    out.drained().then(
      () => {
        clearTimeout(timer);
        flow?.resume();
      },
      () => clearTimeout(timer),
    );
  }

  return {
    columns: options.onColumns ?? null,
    onFlow(given) {
      flow = given;
      if (signal.aborted) queueMicrotask(onAbort);
      else signal.addEventListener('abort', onAbort, { once: true });
    },
    row(cells) {
      if (rows >= rowsMax) return false;
      out.write(options.line(cells));
      rows += 1;
      last = cells;
      if (out.isFull()) pause();
      return true;
    },
    end() {
      signal.removeEventListener('abort', onAbort);
      return { rows, last, wasPaused, isGivenBack };
    },
  };
}
