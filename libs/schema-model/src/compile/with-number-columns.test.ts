import { expect, it } from 'vitest';
import { compileSnapshot } from './compile-snapshot.js';
import { nameSnapshot } from '../naming/name-snapshot.js';
import { rawColumn, rawTable } from '../testing/index.js';
import type { Rights } from '../types.js';

const snapshot = nameSnapshot(
  {
    engine: 'mariadb',
    tables: [
      rawTable('films', [
        rawColumn('id', 'int'),
        rawColumn('stars', 'tinyint(1)'),
        rawColumn('seen', 'tinyint(1)'),
        rawColumn('bit', 'bit(1)'),
      ]),
    ],
  },
  null,
);
const RIGHTS: Rights = { tables: null, verbs: ['read'], hiddenColumns: {} };
const kindsOf = (rights: Rights): unknown =>
  compileSnapshot(snapshot, 1, rights)
    .findByName('films')
    ?.columns.map((column) => column.valueKind);

it('a TINYINT(1) column is a boolean unless the rights name it as a number', () => {
  expect(kindsOf(RIGHTS)).toEqual(['integer', 'boolean', 'boolean', 'boolean']);
  expect(kindsOf({ ...RIGHTS, numberColumns: { films: ['stars', 'bit', 'gone'], gone: ['x'] } })).toEqual([
    'integer',
    'integer',
    'boolean',
    'boolean',
  ]);
});

it('a schema without number columns is served as published', () => {
  expect(compileSnapshot(snapshot, 1, { ...RIGHTS, numberColumns: { films: ['id'] } }).snapshot).toBe(
    snapshot,
  );
});

it('a column whose default is a zero date is required in a create', () => {
  const columns = ['0000-00-00', '2020-02-00', '2020-02-01'].flatMap((text, index) => [
    rawColumn(`d${index}`, 'date', { default: { kind: 'literal', text } }),
    rawColumn(`n${index}`, 'datetime', {
      nullable: true,
      default: { kind: 'literal', text: `${text} 00:00:00` },
    }),
  ]);
  const compiled = compileSnapshot(
    nameSnapshot({ engine: 'mysql', tables: [rawTable('old', columns)] }, null),
    1,
    RIGHTS,
  );
  expect(compiled.findByName('old')?.columns.map((column) => column.required)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});
