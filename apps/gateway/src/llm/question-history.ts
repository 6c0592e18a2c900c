import type { QuestionRow } from '@rowhouse/platform-store';

/** Notes questions for the platform database. Nobody waits for it. */
export interface QuestionHistory {
  note(row: QuestionRow): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;
/** Of one interval; beyond it questions are answered and not noted. */
const ROWS_MAX = 500;

export function startQuestionHistory(append: (rows: readonly QuestionRow[]) => Promise<void>, onFault: (error: unknown) => void): QuestionHistory {
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
