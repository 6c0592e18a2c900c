import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A question with SQL that answers it. */
export interface GoldQuestion {
  readonly question: string;
  readonly sql: string;
}

/** A schema with rows, and questions about it. */
export interface GoldSchema {
  readonly name: string;
  /** The CREATE TABLE statements. A table to which a foreign key refers comes before the key's table. */
  readonly ddl: readonly string[];
  readonly inserts: readonly string[];
  readonly questions: readonly GoldQuestion[];
}

const FOLDER = new URL('../gold/', import.meta.url);

/**
 * Returns all schemas in the folder, sorted by name. `name.sql` has one statement on each line, and
 * `name.txt` has lines of the form `question => SQL`.
 */
export function readGoldSchemas(): GoldSchema[] {
  const names = readdirSync(fileURLToPath(FOLDER))
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((file) => {
    const statements = readLines(file).map((line) => line.replace(/;$/, ''));
    const questions = readLines(file.replace(/\.sql$/, '.txt')).map((line) => {
      const index = line.indexOf(' => ');
      if (index < 0) throw new Error(`${file}: no SQL in "${line}"`);
      return { question: line.slice(0, index), sql: line.slice(index + 4) };
    });
    return {
      name: file.replace(/\.sql$/, ''),
      ddl: statements.filter((sql) => sql.startsWith('CREATE')),
      inserts: statements.filter((sql) => !sql.startsWith('CREATE')),
      questions,
    };
  });
}

function readLines(file: string): string[] {
  return readFileSync(new URL(file, FOLDER), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}
