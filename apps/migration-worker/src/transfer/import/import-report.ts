import type { ImportProblem, TransferManifest } from '@rowhouse/contracts';
import { cutProblems } from '@rowhouse/platform-store';

/**
 * The maximum number of entries of each kind, because every line of a dump may be wrong. Further entries are
 * only counted.
 */
const NAMED_MAX = 1_000;

/** The findings of an import: problems by line, and harmless findings as totals. */
export interface ImportReport {
  problem(line: number, object: string, reason: string): void;
  /** Counts a note. The report lists each note once, with its count. */
  count(note: string): void;
  /** Counts rows whose table does not exist. The report lists each table once. */
  leaveOut(line: number, table: string, reason: string, rows: number): void;
  /** Counts statements for another database. */
  skipOther(line: number, database: string): void;
  note(text: string): void;
  close(): Pick<TransferManifest, 'notes' | 'problems' | 'problemsTotal'>;
}

export function createImportReport(): ImportReport {
  const problems: ImportProblem[] = [];
  const counts = new Map<string, number>();
  const notes: string[] = [];
  let unlisted = 0;
  const left = new Map<string, { line: number; table: string; reason: string; rows: number }>();
  const others = new Map<string, { line: number; statements: number }>();
  return {
    problem(line, object, reason) {
      if (problems.length < NAMED_MAX) problems.push({ line, object: own(object), reason: own(reason) });
      else unlisted += 1;
    },
    count(note) {
      const message = own(note);
      if (counts.size < NAMED_MAX || counts.has(message)) counts.set(message, (counts.get(message) ?? 0) + 1);
    },
    leaveOut(line, table, reason, rows) {
      const [named, why] = [own(table), own(reason)];
      const key = `${named}\0${why}`;
      const known = left.get(key);
      if (known !== undefined) known.rows += rows;
      else if (left.size < NAMED_MAX) left.set(key, { line, table: named, reason: why, rows });
      else unlisted += 1;
    },
    skipOther(line, database) {
      const name = own(database);
      const known = others.get(name);
      if (known !== undefined) known.statements += 1;
      else if (others.size < NAMED_MAX) others.set(name, { line, statements: 1 });
      else unlisted += 1;
    },
    note: (text) => void notes.push(text),
    close() {
      const found: ImportProblem[] = [
        ...problems,
        ...[...left.values()].map(({ line, table, reason, rows }) => ({
          line,
          object: table,
          reason: `${reason}: ${rows} ${rows === 1 ? 'row was' : 'rows were'} omitted.`,
        })),
        ...[...others].map(([database, { line, statements }]) => ({
          line,
          object: database,
          reason: `The dump contains another database. Its ${statements} statements were omitted.`,
        })),
      ].sort((a, b) => a.line - b.line);
      const cut = cutProblems(found);
      return {
        ...cut,
        problemsTotal: cut.problemsTotal + unlisted,
        notes: [
          ...notes,
          ...[...counts].map(([note, times]) => (times === 1 ? note : `${note} (${times} times)`)),
        ],
      };
    },
  };
}

const CHARACTERS_MAX = 1_000;

/**
 * Copies a text. Otherwise it would be a part of the statement's text, and the whole statement of several
 * megabytes would stay in memory.
 */
function own(text: string): string {
  return Buffer.from(text.slice(0, CHARACTERS_MAX), 'utf8').toString('utf8');
}
