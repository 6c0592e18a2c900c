import { isIePlural, type Snapshot } from '@rowhouse/schema-model';
import { quoteText } from '../sql-text.js';
import { toSqlType } from './column-text.js';
import type { NewColumn, SchemaEdit } from './edit-types.js';
import { guessColumn, toColumnName } from './guess-column.js';

export interface RequestScope {
  readonly schema: Snapshot;
  /** The edits that result from earlier sentences. */
  readonly created: readonly SchemaEdit[];
}

/**
 * Parses a list such as `title, an optional rating (int) and a unique isbn`. `a venue that belongs to a user`
 * is a venue and a reference to a user. Returns null if a part does not describe a column.
 */
export function readColumnList(scope: RequestScope, text: string): NewColumn[] | null {
  const phrases = splitPhrases(text).flatMap((phrase) => phrase.split(BELONGS));
  const columns = phrases.map((phrase) => readColumn(scope, phrase));
  return columns.length === 0 || columns.some((column) => column === null)
    ? null
    : columns.filter((column) => column !== null);
}

/** Splits a text at commas and `and` outside parentheses. */
function splitPhrases(text: string): string[] {
  const phrases: string[] = [];
  let depth = 0;
  let start = 0;
  for (const match of text.matchAll(/[()]|\s*,\s*(?:and\s+)?|\s+and\s+/gi)) {
    if (match[0] === '(') depth += 1;
    else if (match[0] === ')') depth -= 1;
    else if (depth === 0) {
      phrases.push(text.slice(start, match.index));
      start = match.index + match[0].length;
    }
  }
  phrases.push(text.slice(start));
  return phrases.map((phrase) => phrase.trim()).filter((phrase) => phrase !== '');
}

const BELONGS = /\s+(?:that|which)\s+belongs?\s+to\s+/i;
const PHRASE =
  /^(?:(?:an?|the)\s+)?(?<words>(?:(?:optional|required|mandatory|unique|nullable)\s+)*)(?:columns?\s+|fields?\s+)?[`"']?(?<name>[A-Za-z][\w -]{0,63}?)[`"']?(?:\s*\((?<inner>.+)\)|\s+(?:as|of type|:)\s*(?<type>.+))?$/i;

function readColumn(scope: RequestScope, phrase: string): NewColumn | null {
  const groups = PHRASE.exec(phrase)?.groups;
  if (groups === undefined) return null;
  const words = (groups['words'] ?? '').toLowerCase();
  const name = toColumnName(groups['name'] ?? '');
  const requested = (groups['inner'] ?? groups['type'] ?? '').trim();
  if (name === '' || name.length > 64) return null;
  const base =
    requested === '' ? (referenceColumn(scope, name) ?? guessColumn(name)) : typedColumn(name, requested);
  if (base === null) return null;
  return {
    ...base,
    ...(/optional|nullable/.test(words)
      ? { nullable: true }
      : /required|mandatory/.test(words)
        ? { nullable: false }
        : {}),
    ...(words.includes('unique') ? { unique: true } : {}),
  };
}

/**
 * Parses the type of a column, such as `decimal(10,2)`, `text`, `required int` or `one of new, open, closed`.
 */
function typedColumn(name: string, requested: string): NewColumn | null {
  const labels = /^(?:one of|enum:?)\s+(.+)$/i.exec(requested)?.[1];
  if (labels !== undefined) {
    const list = labels
      .split(/\s*,\s*(?:or\s+|and\s+)?|\s+or\s+/i)
      .map((label) => label.replace(/^['"]|['"]$/g, '').trim())
      .filter((label) => label !== '');
    return { name, type: `enum(${list.map(quoteText).join(',')})` };
  }
  const words = requested.split(
    /\s*,\s*(?![^(]*\))|\s+(?=optional|required|unique)|(?<=optional|required|unique)\s+/i,
  );
  const type = words.find((word) => !/^(optional|required|unique)$/i.test(word)) ?? '';
  if (toSqlType(type) === null) return null;
  return {
    name,
    type,
    ...(words.some((word) => /^optional$/i.test(word)) ? { nullable: true } : {}),
    ...(words.some((word) => /^unique$/i.test(word)) ? { unique: true } : {}),
  };
}

/**
 * Returns a column with a foreign key. For example, `author` or `author_id` refers to the table `authors` if
 * that exists.
 */
function referenceColumn(scope: RequestScope, name: string): NewColumn | null {
  const table = findTableLike(scope, name.replace(/_id$/, ''));
  if (table === null) return null;
  const known = scope.schema.tables.find((entry) => entry.name === table);
  const key = known === undefined ? 'id' : known.primaryKey?.length === 1 ? known.primaryKey[0] : undefined;
  if (key === undefined) return null;
  const type = known?.columns.find((column) => column.name === key)?.sqlType ?? 'int';
  const stem = /_id$/.test(name) ? name : `${singular(name)}_id`;
  return { name: stem, type, references: { table, columns: [key] } };
}

/**
 * Returns the name of an existing table, or one that an earlier sentence creates. Singular and plural forms
 * match.
 */
export function findTableLike(scope: RequestScope, words: string): string | null {
  const requested = toColumnName(words);
  const names = [
    ...scope.schema.tables.filter((table) => table.kind === 'table').map((table) => table.name),
    ...scope.created.flatMap((edit) =>
      edit.kind === 'create_table' ? [edit.table] : edit.kind === 'rename_table' ? [edit.to] : [],
    ),
  ];
  const same =
    names.find((name) => name === requested) ?? names.find((name) => name.toLowerCase() === requested);
  return same ?? names.find((name) => singular(name.toLowerCase()) === singular(requested)) ?? null;
}

function singular(word: string): string {
  if (/ies$/.test(word)) return isIePlural(word) ? word.slice(0, -1) : word.replace(/ies$/, 'y');
  if (/(l|ar|el|ea|oo)ves$/.test(word)) return word.replace(/ves$/, 'f');
  if (/(ss|us|is)$/.test(word)) return word;
  if (/(ch|sh|x|ss|z|[lnprt]us)es$/.test(word)) return word.replace(/es$/, '');
  return word.replace(/s$/, '');
}
