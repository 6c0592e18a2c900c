import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../canonical-json.js';
import { isFilledUuid } from './find-created-column.js';
import { nameSnapshot, findFormat, findRowKey } from './name-snapshot.js';
import { rawColumn, rawTable, uniqueIndex } from '../testing/index.js';
import { toUrlPath } from './name-paths.js';
import { toValueKind, integerRange } from './to-value-kind.js';

describe('findRowKey', () => {
  const columns = [
    rawColumn('a', 'int(11)'),
    rawColumn('b', 'int(11)'),
    rawColumn('c', 'int(11)', { nullable: true }),
  ];

  it('findRowKey returns the first unique NOT NULL key by name if there is no primary key', () => {
    const indexes = [uniqueIndex('z', ['a']), uniqueIndex('k', ['b', 'a']), uniqueIndex('c', ['c'])];
    expect(findRowKey(rawTable('t', columns, { primaryKey: null, indexes }))).toEqual(['b', 'a']);
  });

  it('findRowKey ignores keys over prefixes and expressions', () => {
    const prefix = {
      ...uniqueIndex('p', ['a']),
      columns: [{ name: 'a', prefixLength: 5, descending: false }],
    };
    const expression = {
      ...uniqueIndex('e', ['a']),
      columns: [{ name: null, prefixLength: null, descending: false }],
    };
    expect(
      findRowKey(rawTable('t', columns, { primaryKey: null, indexes: [prefix, expression] })),
    ).toBeNull();
  });
});

describe('findFormat', () => {
  it('findFormat recognizes an email column by name only if it is NOT NULL', () => {
    expect(findFormat(rawColumn('email', 'varchar(255)'))).toBe('email');
    expect(findFormat(rawColumn('Billing_Email', 'varchar(255)'))).toBe('email');
    expect(findFormat(rawColumn('email', 'varchar(255)', { nullable: true }))).toBeNull();
    expect(findFormat(rawColumn('email', 'int(11)'))).toBeNull();
    expect(findFormat(rawColumn('emails', 'varchar(255)'))).toBeNull();
  });

  it('findFormat prefers the tag in the column comment, and `none` disables the format', () => {
    expect(
      findFormat(rawColumn('site', 'varchar(255)', { nullable: true, comment: 'home page @format uri' })),
    ).toBe('uri');
    expect(findFormat(rawColumn('email', 'varchar(255)', { comment: '@format none' }))).toBeNull();
    expect(findFormat(rawColumn('site', 'varchar(255)', { comment: 'me@format uri' }))).toBeNull();
  });
});

describe('toValueKind', () => {
  it.each([
    ['tinyint', 'tinyint(1)', 'boolean'],
    ['tinyint', 'tinyint(4)', 'integer'],
    ['tinyint', 'tinyint(1) unsigned', 'integer'],
    ['bit', 'bit(1)', 'boolean'],
    ['bit', 'bit(8)', 'bit'],
    ['bigint', 'bigint(20) unsigned', 'integer'],
    ['decimal', 'decimal(10,2)', 'decimal'],
    ['float', 'float', 'float'],
    ['double', 'double', 'double'],
    ['longtext', 'longtext', 'string'],
    ['enum', "enum('a')", 'enum'],
    ['set', "set('a')", 'set'],
    ['timestamp', 'timestamp', 'timestamp'],
    ['year', 'year(4)', 'year'],
    ['json', 'json', 'json'],
    ['varbinary', 'varbinary(16)', 'binary'],
    ['uuid', 'uuid', 'uuid'],
    ['inet6', 'inet6', 'inet'],
    ['point', 'point', 'geometry'],
    ['vector', 'vector(3)', 'vector'],
    ['toString', 'x', 'string'],
  ] as const)('toValueKind returns for the type %s (%s) the kind %s', (type, sqlType, kind) => {
    expect(toValueKind(type, sqlType)).toBe(kind);
  });

  it('toValueKind recognizes a JSON column of MariaDB by its check', () => {
    const table = rawTable('t', [rawColumn('id', 'int(11)'), rawColumn('data', 'longtext')], {
      checks: [{ name: 'data', clause: 'json_valid(`data`)', definition: '' }],
    });
    const columns = nameSnapshot({ engine: 'mariadb', tables: [table] }, null).tables[0]?.columns;
    expect(columns?.map((column) => column.valueKind)).toEqual(['integer', 'json']);
  });
});

describe('texts', () => {
  it('canonicalJson returns equal texts for objects whose members have another order', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true, z: undefined })).toBe(
      '{"a":true,"b":[1,{"c":"x","d":null}]}',
    );
    expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
  });

  it('toUrlPath escapes names, but not the slash of a long path', () => {
    expect(toUrlPath('post-tags')).toBe('post-tags');
    expect(toUrlPath('_tables/a b/c')).toBe('_tables/a%20b%2Fc');
  });
});

describe('integerRange', () => {
  it('integerRange returns the bounds of each integer type, signed and unsigned', () => {
    expect(integerRange({ type: 'mediumint', unsigned: false })).toEqual({
      low: -8_388_608n,
      high: 8_388_607n,
    });
    expect(integerRange({ type: 'bigint', unsigned: true })).toEqual({
      low: 0n,
      high: 18_446_744_073_709_551_615n,
    });
  });
});

describe('isFilledUuid', () => {
  const column = {
    name: 'uuid',
    generated: null,
    default: { kind: 'none' },
    valueKind: 'string',
    maxLength: 36,
  } as const;

  it('isFilledUuid accepts a column named uuid that can hold a UUID and has no default', () => {
    expect(
      [
        column,
        { ...column, default: { kind: 'null' } as const },
        { ...column, valueKind: 'uuid', maxLength: null } as const,
      ].map(isFilledUuid),
    ).toEqual([true, true, true]);
  });
  it('isFilledUuid rejects columns with another name, type or default', () => {
    const others = [
      { ...column, name: 'id' },
      { ...column, maxLength: 32 },
      { ...column, generated: 'stored' } as const,
      { ...column, default: { kind: 'expression', text: 'uuid()' } as const },
      { ...column, valueKind: 'binary' } as const,
    ];
    expect(others.map(isFilledUuid)).toEqual([false, false, false, false, false]);
  });
});
