import type { Snapshot, Table } from '@rowhouse/schema-model';
import { expect, it } from 'vitest';
import { isSameSchema } from './compare-schemas.js';

const snapshot = (names: readonly string[]): Snapshot => ({
  format: 1,
  engine: 'mariadb',
  tables: names.map((name) => ({ name }) as Table),
});
const names = Array.from({ length: 100 }, (_, index) => `t${index}`);

it('isSameSchema returns true when the engine and all tables are equal', async () => {
  expect(await isSameSchema(snapshot(names), snapshot(names))).toBe(true);
  expect(await isSameSchema(snapshot(names), snapshot([...names.slice(0, 99), 'other']))).toBe(false);
  expect(await isSameSchema(snapshot(names), snapshot(names.slice(1)))).toBe(false);
  expect(await isSameSchema(snapshot(names), { ...snapshot(names), engine: 'mysql' })).toBe(false);
  expect(await isSameSchema(snapshot(names), null)).toBe(false);
});
