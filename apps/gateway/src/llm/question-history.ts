import type { QuestionRow } from '@rowhouse/platform-store';

/** Records questions in the platform database. No request waits for it. */
export interface QuestionHistory {
  note(row: QuestionRow): void;
  /** Writes the remaining rows. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;
/** The maximum number of rows per interval. Further questions are answered but not recorded. */
const ROWS_MAX = 500;

export function startQuestionHistory(
  append: (rows: readonly QuestionRow[]) => Promise<void>,
  onFault: (error: unknown) => void,
): QuestionHistory {
  let rows: QuestionRow[] = [];
  async function flush(): Promise<void> {
    const noted = rows;
    rows = [];
    if (noted.length > 0) await append(noted).catch(onFault);
  }
  const timer = setInterval(() => void flush(), INTERVAL_MS);
  timer.unref();
  return {
    note(row) {
      if (rows.length < ROWS_MAX) rows.push(row);
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
