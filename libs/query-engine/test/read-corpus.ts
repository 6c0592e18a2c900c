import { readdirSync, readFileSync } from 'node:fs';
import type { RouteSchema } from '../src/types.js';

/**
 * Texts as people write them, for several schemas. `sql` is valid SQL, and `broken` is SQL with a mistake.
 * `⏎` represents a line break.
 */
export interface Corpus {
  readonly name: string;
  readonly schema: RouteSchema;
  readonly sql: readonly string[];
  readonly broken: readonly string[];
  readonly questions: readonly string[];
}

const FOLDER = new URL('./corpus/', import.meta.url);

export function readCorpora(): Corpus[] {
  return readdirSync(FOLDER)
    .sort()
    .map((file) => readCorpus(file.slice(0, -4), readFileSync(new URL(file, FOLDER), 'utf8')));
}

function readCorpus(name: string, text: string): Corpus {
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const heading = /^# (schema|sql|broken|questions)$/.exec(line)?.[1];
    if (heading !== undefined) sections.set(heading, (lines = []));
    else if (line.trim() !== '') lines.push(line.replaceAll('⏎', '\n'));
  }
  const of = (heading: string): string[] => sections.get(heading) ?? [];
  return {
    name,
    schema: { tables: of('schema').map(readTable) },
    sql: of('sql'),
    broken: of('broken'),
    questions: of('questions'),
  };
}

function readTable(line: string): RouteSchema['tables'][number] {
  const [name = '', columns = ''] = line.split(': ');
  return { name, columns: columns.split(' ') };
}
