import { compileSnapshot, nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { ALL, compile, nullable } from '../../../test/blog.js';
import { createRandom } from '../../../test/random.js';
import { createFaultList } from '../../request/fault-list.js';
import { JsonRecord } from '../../request/json-value.js';
import { parseJson } from '../../request/parse-json.js';
import type { JsonObject, JsonValue } from '../../request/json-value.js';
import { createRecordFiller, fillRow } from './fill-records.js';
import { planRow } from './plan-row.js';
import type { PlanOptions } from '../plan-parts.js';

const OPTIONS: PlanOptions = {
  unknownFields: 'reject',
  requireLimit: false,
  regexEnabled: false,
  storedColumnsAt: () => null,
  sealText: (text) => text,
  makeUuid: () => '11111111-2222-4333-8444-555555555555',
};

const integers = [
  'tinyint',
  'tinyint unsigned',
  'smallint',
  'mediumint unsigned',
  'int',
  'int unsigned',
  'bigint',
  'bigint unsigned',
  'bit(3)',
  'bit(64)',
];
const texts = ['char(3)', 'varchar(3)', 'varchar(40)', 'tinytext', 'text'];
const odd = nameSnapshot(
  {
    engine: 'mariadb',
    tables: [
      rawTable('integers', [
        rawColumn('id', 'int', { autoIncrement: true }),
        ...integers.map((type, index) => rawColumn(`n${index}`, type, nullable)),
      ]),
      rawTable('texts', [
        rawColumn('id', 'int', { autoIncrement: true }),
        ...texts.map((type, index) =>
          rawColumn(`t${index}`, type, { ...nullable, ...(type === 'tinytext' ? { maxLength: 255 } : {}) }),
        ),
        rawColumn('thai', 'varchar(9)', { ...nullable, charset: 'tis620' }),
        rawColumn('email', 'varchar(30)', nullable),
        rawColumn('uuid', 'varchar(36)', nullable),
      ]),
    ],
  },
  null,
);
const tables = [
  ...['types', 'comments', 'countries', 'users'].map((name) => compile().findByName(name)),
  ...['integers', 'texts'].map((name) => compileSnapshot(odd, 1, ALL).findByName(name)),
].filter((table) => table !== null);

const VALUES = [
  '0',
  '1',
  '7',
  '8',
  '127',
  '128',
  '255',
  '256',
  '65535',
  '8388608',
  '16777216',
  '2147483648',
  '4294967295',
  '4294967296',
  '999999999999999',
  '9007199254740993',
  '9223372036854775808',
  '18446744073709551616',
  '-1',
  '-0',
  '1.0',
  '1.50',
  '1e2',
  'null',
  'true',
  'false',
  '""',
  '"a"',
  '"abc"',
  '"abcd"',
  '"a  "',
  '"1"',
  '"😀"',
  '"ü"',
  '"a@b.co"',
  '"2026-01-31"',
  '"2026-01-31T10:00:00Z"',
  '"10:00:00"',
  '"AQ=="',
  '"11111111-2222-4333-8444-555555555555"',
  '"1.2.3.4"',
  '"new"',
  JSON.stringify('x'.repeat(63)),
  JSON.stringify('x'.repeat(64)),
  JSON.stringify('é'.repeat(200)),
];

describe('records converted by their common members', () => {
  it('fillRow returns the same rows as the general conversion', () => {
    const random = createRandom(20_261_126);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const found = { filled: 0, left: 0 };
    for (let round = 0; round < 15_000; round += 1) {
      const table = pick(tables);
      const chosen = table.columns
        .filter((column) => (column.required ? random() < 0.97 : random() < 0.25))
        .map(({ name }) => name);
      if (random() < 0.03) chosen.push('nobody');
      if (chosen.length === 0) continue;
      const record = (): string =>
        `{${chosen.map((name) => `${JSON.stringify(name)}:${pick(VALUES)}`).join(',')}}`;
      const body = parseJson(`[${record()},${record()},${record()}]`) as readonly JsonValue[];
      const fill = createRecordFiller(table, OPTIONS);
      for (const item of body.slice(1)) {
        expect(item).toBeInstanceOf(JsonRecord);
        const row = fill(item);
        expect(row, serialized(item)).toEqual(fillRow(table, new Map(item as JsonObject), OPTIONS));
        const faults = createFaultList('body.invalid');
        const planned = planRow(table, item, ['body'], OPTIONS, faults);
        if (row === null) found.left += 1;
        else {
          found.filled += 1;
          expect(() => faults.throwIfAny()).not.toThrow();
          expect(planned).toEqual(row);
        }
      }
    }
    expect(Math.min(found.filled, found.left)).toBeGreaterThan(1_000);
  }, 60_000);
});

const serialized = (value: JsonValue): string => JSON.stringify([...(value as JsonObject)]);
