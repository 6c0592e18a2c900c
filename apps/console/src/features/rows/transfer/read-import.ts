import type { ColumnView } from '../../../data/schema/read-tables.js';
import { isRecord } from '../../../data/client/api-error.js';
import { parseExactJson } from '../../../data/gateway/exact-json.js';
import { toCellText } from '../../../data/rows/cell-text.js';
import { readValue } from '../record/read-value.js';

/** The text of a CSV field, and whether it was quoted. An empty field without quotes means NULL. */
interface CsvField {
  readonly text: string;
  readonly isQuoted: boolean;
}

/**
 * The content of a file: the names of its fields, and its rows with a value for each name. A CSV value is a
 * text, or null for an empty field.
 */
export interface ImportSource {
  readonly kind: 'csv' | 'json';
  readonly names: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Parses CSV, a JSON array, one JSON object, or one JSON object per line. Throws an Error that describes what
 * is wrong.
 */
export function readImport(text: string): ImportSource {
  const trimmed = text.trimStart();
  if (trimmed === '') throw new Error('The file is empty.');
  return trimmed.startsWith('[') || trimmed.startsWith('{') ? readJsonRows(trimmed) : readCsvRows(text);
}

function readCsvRows(text: string): ImportSource {
  const [head, ...lines] = parseCsv(text);
  const names = (head ?? []).map((field) => field.text.trim());
  if (new Set(names).size !== names.length) throw new Error('Two columns in the file have the same name.');
  const wrong = lines.findIndex((line) => line.length !== names.length);
  if (wrong >= 0)
    throw new Error(
      `Record ${wrong + 1} has ${lines[wrong]?.length ?? 0} fields, the first line has ${names.length}.`,
    );
  const rows = lines.map((line) =>
    Object.fromEntries(
      line.map((field, index) => [
        names[index] ?? '',
        field.text === '' && !field.isQuoted ? null : field.text,
      ]),
    ),
  );
  return { kind: 'csv', names, rows };
}

function readJsonRows(text: string): ImportSource {
  const found = text.startsWith('[') ? [parseExactJson(text)].flat() : readLines(text);
  const rows = found.map((row, index) => {
    if (!isRecord(row)) throw new Error(`Record ${index + 1} isn’t an object.`);
    return row;
  });
  return { kind: 'json', names: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows };
}

function readLines(text: string): unknown[] {
  try {
    return [parseExactJson(text)];
  } catch {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line, index) => {
        try {
          return parseExactJson(line);
        } catch {
          throw new Error(`Line ${index + 1} isn’t valid JSON.`);
        }
      });
  }
}

/** Maps names in the file to columns of the table. Fields whose name is not mapped are not imported. */
export type Mapping = Readonly<Record<string, string>>;

/** Maps each name to the column whose name is equal except for case, spaces and punctuation. */
export function guessMapping(names: readonly string[], columns: readonly ColumnView[]): Mapping {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const pairs = names.map(
    (name) =>
      [
        name,
        columns.find((column) => !column.isGenerated && plain(column.name) === plain(name))?.name,
      ] as const,
  );
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

/**
 * Returns the rows in the form that the data API accepts, one JSON object in each line. Invalid values are
 * sent unchanged, so that the result of the import reports them.
 */
export function toNdjson(source: ImportSource, mapping: Mapping, columns: readonly ColumnView[]): string {
  const pairs = Object.entries(mapping).flatMap(([name, target]) => {
    const column = columns.find((candidate) => candidate.name === target);
    return column === undefined ? [] : [[name, column] as const];
  });
  return source.rows
    .map((row) =>
      JSON.stringify(
        Object.fromEntries(
          pairs
            .filter(([name]) => row[name] !== undefined)
            .map(([name, column]) => [
              column.name,
              source.kind === 'csv' ? fromText(column, row[name]) : row[name],
            ]),
        ),
      ),
    )
    .join('\n');
}

function fromText(column: ColumnView, value: unknown): unknown {
  if (value === null) return null;
  const text = toCellText(value);
  const read = readValue(column, text);
  return read.kind === 'value' ? read.value : text;
}

/**
 * Parses text whose fields are separated by commas, semicolons or tabs. The character that is most frequent
 * in the first line is the separator.
 */
export function parseCsv(text: string): CsvField[][] {
  const source = text.replace(/^\uFEFF/, '');
  const separator = findSeparator(source);
  const lines: CsvField[][] = [];
  let line: CsvField[] = [];
  let index = 0;
  while (index < source.length) {
    const { field, end } =
      source[index] === '"' ? readQuoted(source, index) : readPlain(source, index, separator);
    line.push(field);
    index = end;
    if (source[index] === separator) {
      index += 1;
      if (index >= source.length) line.push({ text: '', isQuoted: false });
      continue;
    }
    if (source[index] === '\r') index += 1;
    if (source[index] === '\n') index += 1;
    if (line.length > 1 || line[0]?.text !== '' || line[0].isQuoted) lines.push(line);
    line = [];
  }
  if (line.length > 0) lines.push(line);
  return lines;
}

function findSeparator(text: string): string {
  const first = text
    .slice(0, text.search(/[\r\n]/) < 0 ? undefined : text.search(/[\r\n]/))
    .replaceAll(/"[^"]*"/g, '');
  return (
    [',', ';', '\t']
      .map((mark) => [mark, first.split(mark).length] as const)
      .sort((a, b) => b[1] - a[1])[0]?.[0] ?? ','
  );
}

function readQuoted(source: string, from: number): { field: CsvField; end: number } {
  let text = '';
  let index = from + 1;
  for (;;) {
    const close = source.indexOf('"', index);
    if (close < 0) return { field: { text: text + source.slice(index), isQuoted: true }, end: source.length };
    text += source.slice(index, close);
    if (source[close + 1] !== '"')
      return { field: { text, isQuoted: true }, end: skipBlanks(source, close + 1) };
    text += '"';
    index = close + 2;
  }
}

function skipBlanks(source: string, from: number): number {
  let index = from;
  while (source[index] === ' ') index += 1;
  return index;
}

function readPlain(source: string, from: number, separator: string): { field: CsvField; end: number } {
  let end = from;
  while (end < source.length && source[end] !== separator && source[end] !== '\n' && source[end] !== '\r')
    end += 1;
  return { field: { text: source.slice(from, end), isQuoted: false }, end };
}
