import type { ImportProblem, TransferManifest } from '@rowhouse/contracts';
import { cutProblems } from '@rowhouse/platform-store';

const NAMED_TABLES_MAX = 1_000;

/** What an import has to tell: problems by line, and the harmless in sums. */
export interface ImportReport {
  problem(line: number, object: string, reason: string): void;
  /** Told once, with how often. */
  count(note: string): void;
  /** Rows that have nowhere to go: told once for each table, with how many. */
  leaveOut(line: number, table: string, reason: string, rows: number): void;
  /** Statements of another database. */
  skipOther(line: number, database: string): void;
  note(text: string): void;
  close(): Pick<TransferManifest, 'notes' | 'problems' | 'problemsTotal'>;
}

export function createImportReport(): ImportReport {
  const problems: ImportProblem[] = [];
  const counts = new Map<string, number>();
  const notes: string[] = [];
  const left = new Map<string, { line: number; table: string; reason: string; rows: number }>();
  const others = new Map<string, { line: number; statements: number }>();
  return {
    problem: (line, object, reason) => void problems.push({ line, object, reason }),
    count: (note) => void counts.set(note, (counts.get(note) ?? 0) + 1),
    leaveOut(line, table, reason, rows) {
      const key = `${table}\0${reason}`;
      const known = left.get(key);
      if (known !== undefined) known.rows += rows;
      else if (left.size < NAMED_TABLES_MAX) left.set(key, { line, table, reason, rows });
    },
    skipOther(line, database) {
      const known = others.get(database);
      if (known === undefined) others.set(database, { line, statements: 1 });
      else known.statements += 1;
    },
    note: (text) => void notes.push(text),
    close() {
      const found: ImportProblem[] = [
        ...problems,
        ...[...left.values()].map(({ line, table, reason, rows }) => ({ line, object: table, reason: `${reason}: ${rows} ${rows === 1 ? 'row was' : 'rows were'} left out.` })),
        ...[...others].map(([database, { line, statements }]) => ({ line, object: database, reason: `Another database than the first of the dump: ${statements} statements were left out.` })),
      ].sort((a, b) => a.line - b.line);
      return { ...cutProblems(found), notes: [...notes, ...[...counts].map(([note, times]) => (times === 1 ? note : `${note} (${times} times)`))] };
    },
  };
}
