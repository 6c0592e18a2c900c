import type { Snapshot } from '@rowhouse/schema-model';
import type { SchemaEdit } from './edit-types.js';
import { toColumnName } from './guess-column.js';
import { findTableLike, readColumnList, type RequestScope } from './read-column-phrase.js';

/** An example of each supported form of sentence. They are shown if a sentence is not understood. */
export const REQUEST_FORMS: readonly string[] = [
  'a table books with title, author, price and published date',
  'add subtitle and an optional rating to books',
  'add a unique isbn to books',
  'books belong to authors',
  'rename books to volumes',
  'rename title of books to headline',
  'remove rating from books',
  'drop the table books',
  'make title of books required',
  'make isbn of books unique',
];

export interface ReadRequest {
  readonly edits: readonly SchemaEdit[];
  /** The sentences that match no form. If there are any, callers must not propose the edits. */
  readonly rest: readonly string[];
}

type Form = readonly [
  pattern: RegExp,
  read: (scope: RequestScope, groups: Readonly<Record<string, string | undefined>>) => SchemaEdit[] | null,
];

/**
 * Matches a name of at most the maximum length. Three names without a limit in a sentence of thousands of
 * words would backtrack for minutes.
 */
const NAME = '[`"\']?([A-Za-z][\\w -]{0,63}?)[`"\']?';
const name = (group: string): string => NAME.replace('(', `(?<${group}>`);
const START = '^(?:(?:and |then |also )+)?(?:please\\s+|can you\\s+|i (?:want|need)\\s+)?';

const FORMS: readonly Form[] = [
  [
    new RegExp(
      `${START}(?:(?:create|make|add|build)\\s+)?(?:an?|the|new)?\\s*(?:new\\s+)?table\\s+(?:called\\s+|named\\s+|of\\s+|for\\s+)?${name('table')}\\s+(?:with|having|that has|holding)\\s+(?:the\\s+)?(?:columns?|fields?)?:?\\s*(?<columns>.+)$`,
      'i',
    ),
    readTable,
  ],
  [
    new RegExp(`${START}(?:drop|delete|remove)\\s+(?:the\\s+)?table\\s+${name('table')}$`, 'i'),
    (scope, { table = '' }) => onTable(scope, table, (found) => [{ kind: 'drop_table', table: found }]),
  ],
  [
    new RegExp(
      `${START}add\\s+(?:(?:an?\\s+|the\\s+)?(?:new\\s+)?(?:columns?|fields?)\\s+(?:called\\s+|named\\s+|for\\s+)?)?(?<columns>.+?)\\s+to\\s+(?:the\\s+|each\\s+|every\\s+)?(?:table\\s+)?${name('table')}(?:\\s+table)?$`,
      'i',
    ),
    readAdd,
  ],
  [
    new RegExp(
      `${START}(?:drop|delete|remove)\\s+(?:the\\s+)?(?:columns?\\s+|fields?\\s+)?(?<columns>.+?)\\s+(?:from|of)\\s+(?:the\\s+)?(?:table\\s+)?${name('table')}$`,
      'i',
    ),
    readRemove,
  ],
  [
    new RegExp(
      `${START}rename\\s+(?:the\\s+)?(?:column\\s+|field\\s+)?${name('column')}\\s+(?:of|in|on)\\s+(?:the\\s+)?(?:table\\s+)?${name('table')}\\s+(?:to|as)\\s+${name('to')}$`,
      'i',
    ),
    readRenameColumn,
  ],
  [
    new RegExp(
      `${START}rename\\s+(?:the\\s+)?(?:table\\s+)?${name('table')}\\s+(?:to|as)\\s+${name('to')}$`,
      'i',
    ),
    (scope, { table = '', to = '' }) =>
      onTable(scope, table, (found) => [{ kind: 'rename_table', table: found, to: toColumnName(to) }]),
  ],
  [
    new RegExp(
      `${START}make\\s+(?:the\\s+)?(?:column\\s+|field\\s+)?${name('column')}\\s+(?:of|in|on)\\s+(?:the\\s+)?(?:table\\s+)?${name('table')}\\s+(?<what>required|mandatory|optional|unique)$`,
      'i',
    ),
    readMake,
  ],
  [
    new RegExp(
      `${START}(?:each\\s+|an?\\s+|every\\s+)?${name('table')}\\s+(?:(?:that|which)\\s+)?belongs?\\s+to\\s+(?:an?\\s+|one\\s+)?${name('target')}$`,
      'i',
    ),
    readBelongs,
  ],
  [
    new RegExp(
      `${START}(?:each\\s+|an?\\s+|every\\s+)?${name('target')}\\s+(?:has|have)\\s+many\\s+${name('table')}$`,
      'i',
    ),
    readBelongs,
  ],
];

/**
 * Parses a schema change in plain sentences of a few fixed forms, and returns edits. Types, keys and
 * references are guessed from names, so the user reviews the edits before they are applied.
 */
export function readRequest(schema: Snapshot, text: string): ReadRequest {
  const edits: SchemaEdit[] = [];
  const rest: string[] = [];
  for (const sentence of splitSentences(text)) {
    const read = readSentence({ schema, created: edits }, sentence);
    if (read === null) rest.push(sentence);
    else edits.push(...read);
  }
  return { edits, rest };
}

function splitSentences(text: string): string[] {
  return text
    .split(/[.;!?]+(?:\s+|$)|\n+|\s+(?:and\s+)?then\s+/i)
    .map((sentence) => sentence.trim().replace(/\s+/g, ' ').replace(/,$/, ''))
    .filter((sentence) => sentence !== '');
}

function readSentence(scope: RequestScope, sentence: string): SchemaEdit[] | null {
  for (const [pattern, read] of FORMS) {
    const match = pattern.exec(sentence);
    const edits = match === null ? null : read(scope, match.groups ?? {});
    if (edits !== null) return edits;
  }
  return null;
}

function onTable(
  scope: RequestScope,
  words: string,
  then: (table: string) => SchemaEdit[] | null,
): SchemaEdit[] | null {
  const table = findTableLike(scope, words);
  return table === null ? null : then(table);
}

function readTable(
  scope: RequestScope,
  { table = '', columns = '' }: Readonly<Record<string, string | undefined>>,
): SchemaEdit[] | null {
  const list = readColumnList(scope, columns);
  if (list === null) return null;
  const hasKey = list.some((column) => column.name === 'id');
  const key = { name: 'id', type: 'int', auto_increment: true };
  return [
    {
      kind: 'create_table',
      table: toColumnName(table),
      columns: hasKey ? list.map((column) => (column.name === 'id' ? key : column)) : [key, ...list],
      primary_key: ['id'],
    },
  ];
}

function readAdd(
  scope: RequestScope,
  { table = '', columns = '' }: Readonly<Record<string, string | undefined>>,
): SchemaEdit[] | null {
  return onTable(
    scope,
    table,
    (found) =>
      readColumnList(scope, columns)?.map((column) => ({ kind: 'add_column', table: found, column })) ?? null,
  );
}

function readRemove(
  scope: RequestScope,
  { table = '', columns = '' }: Readonly<Record<string, string | undefined>>,
): SchemaEdit[] | null {
  return onTable(scope, table, (found) => {
    const names = columns
      .split(/\s*,\s*(?:and\s+)?|\s+and\s+/i)
      .map((column) => toColumnName(column.replace(/^(the|a|an)\s+/i, '')));
    return names.some((column) => column === '')
      ? null
      : names.map((column) => ({ kind: 'drop_column', table: found, column }));
  });
}

function readRenameColumn(
  scope: RequestScope,
  { table = '', column = '', to = '' }: Readonly<Record<string, string | undefined>>,
): SchemaEdit[] | null {
  return onTable(scope, table, (found) => [
    { kind: 'rename_column', table: found, column: toColumnName(column), to: toColumnName(to) },
  ]);
}

function readMake(
  scope: RequestScope,
  { table = '', column = '', what = '' }: Readonly<Record<string, string | undefined>>,
): SchemaEdit[] | null {
  const word = what.toLowerCase();
  return onTable(scope, table, (found) => [
    {
      kind: 'change_column',
      table: found,
      column: toColumnName(column),
      to: word === 'unique' ? { unique: true } : { nullable: word === 'optional' },
    },
  ]);
}

function readBelongs(
  scope: RequestScope,
  { table = '', target = '' }: Readonly<Record<string, string | undefined>>,
): SchemaEdit[] | null {
  return onTable(scope, table, (source) => {
    const list = readColumnList(scope, `optional ${target}`);
    const [column] = list ?? [];
    return column?.references === undefined ? null : [{ kind: 'add_column', table: source, column }];
  });
}
