import { describe, expect, it } from 'vitest';
import { readTables } from '../../../data/schema/read-tables.js';
import { guessMapping, readImport, toNdjson, parseCsv } from './read-import.js';

const [TABLE] = readTables([
  {
    name: 't',
    primary_key: 'id',
    columns: [
      { name: 'id', type: 'int', value_kind: 'integer' },
      { name: 'full_name', type: 'varchar(20)', value_kind: 'string' },
      { name: 'is_ok', type: 'tinyint(1)', value_kind: 'boolean', nullable: true },
      { name: 'doc', type: 'longtext', value_kind: 'json', nullable: true },
      { name: 'twice', type: 'int', value_kind: 'integer', generated: 'virtual' },
    ],
  },
]);
const columns = TABLE?.columns ?? [];

describe('parseCsv', () => {
  it('parseCsv reads quotes, line breaks, separators, NULL and empty strings', () => {
    const lines = parseCsv('\uFEFFa,b\r\n"x ""y"", z",\n"l1\nl2",""\n\n1,2');
    expect(lines.map((line) => line.map(({ text }) => text))).toEqual([
      ['a', 'b'],
      ['x "y", z', ''],
      ['l1\nl2', ''],
      ['1', '2'],
    ]);
    expect(lines.map((line) => line[1]?.isQuoted)).toEqual([false, false, true, false]);
    expect(parseCsv('a;b\n1;2,5')[1]?.map(({ text }) => text)).toEqual(['1', '2,5']);
    expect(parseCsv('a,b\n1,')[1]).toHaveLength(2);
  });
});

describe('readImport', () => {
  it('readImport reads CSV, JSON arrays, JSON objects and NDJSON', () => {
    expect(readImport('a,b\n1,').rows).toEqual([{ a: '1', b: null }]);
    expect(readImport('[{"a":1},{"b":2}]').names).toEqual(['a', 'b']);
    expect(readImport('{"a":1}\n{"a":2}\n').rows).toHaveLength(2);
    expect(readImport('{\n"a": 1\n}').rows).toEqual([{ a: 1 }]);
  });

  it('readImport describes what is wrong with a file', () => {
    expect(() => readImport('a,b\n1')).toThrow('Record 1 has 1 fields, the first line has 2.');
    expect(() => readImport('[1]')).toThrow('Record 1 isn’t an object.');
    expect(() => readImport('{"a":1}\n{"a"')).toThrow('Line 2 isn’t valid JSON.');
    expect(() => readImport(' ')).toThrow('empty');
  });

  it('readImport matches columns by name and converts values by type', () => {
    const source = readImport('Full Name,is ok,DOC,twice\nada,yes,"{""a"":1}",4\n,,oops,');
    const mapping = guessMapping(source.names, columns);
    expect(mapping).toEqual({ 'Full Name': 'full_name', 'is ok': 'is_ok', DOC: 'doc' });
    expect(toNdjson(source, mapping, columns)).toBe(
      '{"full_name":"ada","is_ok":true,"doc":{"a":1}}\n{"full_name":null,"is_ok":null,"doc":"oops"}',
    );
  });
});
