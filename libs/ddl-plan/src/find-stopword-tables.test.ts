import { expect, it } from 'vitest';
import { findStopwordTables } from './find-stopword-tables.js';
import { makeSnapshot, makeTable } from './testing/make-schema.js';

const find = (...lines: string[]) => findStopwordTables(null, makeSnapshot(makeTable('t', lines)));

it.each([
  [['value varchar(40) NOT NULL', 'PRIMARY KEY (value)'], true],
  [['v int GENERATED', 'value varchar(40)'], true],
  [['id int', 'value varchar(40)'], false],
  [['Value varchar(40)'], false],
  [['value text'], false],
  [['value int'], false],
] as const)('a table with %j can be read as a stopword list: %s', (lines, isFound) => {
  expect(find(...lines)).toEqual(isFound ? ['t'] : []);
});

it('findStopwordTables ignores tables that were already stopword tables', () => {
  const schema = makeSnapshot(makeTable('t', ['value varchar(40)']));
  expect(findStopwordTables(schema, schema)).toEqual([]);
  expect(findStopwordTables(makeSnapshot(makeTable('t', ['id int'])), schema)).toEqual(['t']);
});
