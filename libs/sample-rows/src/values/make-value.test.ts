import { nameSnapshot, type Column } from '@rowhouse/schema-model';
import { COLUMN_TYPES, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { NO_LIMITS, type ColumnLimits } from '../checks/read-limits.js';
import { createRandom } from '../create-random.js';
import type { SampleValue } from '../types.js';
import { makeValue } from './make-value.js';
import { toWords, choosePerson } from './value-context.js';

const NOW_MS = Date.UTC(2026, 0, 1);

function columnOf(name: string, type: string): Column {
  const column = nameSnapshot(
    { engine: 'mariadb', tables: [rawTable('things', [rawColumn(name, type)], { primaryKey: null })] },
    null,
  ).tables[0]?.columns[0];
  if (column === undefined) throw new Error('no column');
  return column;
}

/** Returns forty values for a column, as rows would contain them. */
function values(
  name: string,
  type: string,
  {
    table = 'things',
    isUnique = false,
    ...limits
  }: Partial<ColumnLimits> & { table?: string; isUnique?: boolean } = {},
): SampleValue[] {
  const [column, random] = [columnOf(name, type), createRandom(name)];
  return Array.from({ length: 40 }, (_, index) =>
    makeValue({
      column,
      name: toWords(name),
      tableName: table,
      limits: { ...NO_LIMITS, ...limits },
      random,
      person: choosePerson(random),
      ordinal: index + 1,
      momentMs: NOW_MS - (40 - index) * 86_400_000,
      nowMs: NOW_MS,
      isUnique,
      attempt: 0,
    }),
  );
}

describe('makeValue', () => {
  it('makeValue returns values that fit the names of their columns', () => {
    for (const [name, type, form, table] of [
      ['email', 'varchar(80)', /@example\./],
      ['firstName', 'varchar(40)', /^[A-Z][a-z]+$/],
      ['country_code', 'char(2)', /^[A-Z]{2}$/],
      ['country', 'varchar(40)', /^[A-Z][a-z]+$/],
      ['website', 'varchar(200)', /^https:\/\/www\.example\./],
      ['slug', 'varchar(80)', /^[a-z]+-[a-z]+$/],
      ['title', 'varchar(80)', /^[A-Z]/],
      ['sku', 'varchar(20)', /^[A-Z]{2}-\d+$/],
      ['color', 'char(7)', /^#[0-9a-f]{6}$/],
      ['name', 'varchar(60)', /^[A-Z][a-z]+ [A-Z][a-z]+$/, 'customers'],
      ['name', 'varchar(60)', /^[A-Z]/, 'categories'],
      ['password_hash', 'char(40)', /^[0-9a-f]{40}$/],
      ['phone', 'varchar(30)', /^\+1 555 01/],
      ['price', 'decimal(8,2)', /^\d+\.\d\d$/],
      ['ip', 'varchar(45)', /^\d+\.\d+\.\d+\.\d+$/],
    ] as const)
      for (const value of values(name, type, table === undefined ? {} : { table }))
        expect([name, value]).toEqual([name, expect.stringMatching(form)]);
  });

  it('makeValue respects lengths, ranges and enumerations', () => {
    for (const value of values('bio', 'varchar(15)')) expect(String(value).length).toBeLessThanOrEqual(15);
    for (const value of values('note', 'varchar(90)', { lengthMin: 60 }))
      expect(String(value).length).toBeGreaterThanOrEqual(60);
    for (const value of values('n', 'tinyint(3) unsigned'))
      expect(value).toSatisfy((n: number) => n >= 0 && n <= 255);
    for (const value of values('age', 'int(11)', { min: 90 }))
      expect(value).toSatisfy((n: number) => n >= 90);
    for (const value of values('price', 'decimal(4,2)', { min: 0, isAboveMin: true, max: 1 }))
      expect(Number(value)).toSatisfy((n: number) => n > 0 && n <= 1);
    for (const value of values('size', 'varchar(4)', { choices: ['S', 'M'] }))
      expect(['S', 'M']).toContain(value);
    for (const value of values('code', 'varchar(20)', { pattern: 'SK-__%' })) expect(value).toMatch(/^SK-../);
    for (const value of values('day', 'date', { min: '2030-01-01' }))
      expect(String(value) >= '2030-01-01').toBe(true);
    expect(new Set(values('n', 'smallint(6)', { isUnique: true })).size).toBe(40);
  });

  it('makeValue spreads times, and later events get later dates', () => {
    const created = values('created_at', 'datetime').map(String);
    expect(created).toEqual([...created].sort());
    for (const value of values('birthday', 'date')) expect(String(value) < '2009').toBe(true);
    for (const [index, value] of values('due_date', 'date').entries())
      expect(String(value) > (created[index] ?? '').slice(0, 10)).toBe(true);
    for (const value of values('updated_at', 'datetime(3)'))
      expect(value).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
  });

  it('makeValue supports every column type of both engines', () => {
    for (const type of [...COLUMN_TYPES.mariadb, ...COLUMN_TYPES.mysql])
      for (const value of values('c', type)) expect([type, value]).toEqual([type, expect.anything()]);
  });
});
