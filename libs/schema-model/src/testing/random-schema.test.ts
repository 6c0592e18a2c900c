import { describe, expect, it } from 'vitest';
import { nameSnapshot } from '../naming/name-snapshot.js';
import { COLUMN_TYPES, makeRandomSchema } from './random-schema.js';
import { toRawSchema, toSchemaSql } from './schema-sketch.js';

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

describe('random schemas', () => {
  it('equal seeds give equal random schemas, and different seeds give different ones', () => {
    expect(makeRandomSchema(7)).toEqual(makeRandomSchema(7));
    expect(new Set(SEEDS.map((seed) => toSchemaSql(makeRandomSchema(seed)))).size).toBe(SEEDS.length);
  });

  it('random schemas contain every type, all kinds of keys, references and difficult names', () => {
    const tables = SEEDS.flatMap((seed) => makeRandomSchema(seed).tables);
    const columns = tables.flatMap((table) => table.columns);
    expect(COLUMN_TYPES.mariadb.filter((type) => !columns.some((column) => column.sqlType === type))).toEqual(
      [],
    );
    for (const size of [undefined, 1, 2])
      expect(tables.some((table) => table.primaryKey?.length === size)).toBe(true);
    expect(tables.some((table) => table.foreignKeys.some((key) => key.columns.length === 2))).toBe(true);
    expect(tables.some((table) => table.fullTextOn.length > 0)).toBe(true);
    for (const name of ['limit', '__proto__', 'tick`ed', 'a.b', 'name__like', '名前'])
      expect(
        columns.some((column) => column.name === name),
        name,
      ).toBe(true);
  });

  it('a random schema can be named and written as CREATE TABLE statements', () => {
    for (const seed of SEEDS)
      expect(nameSnapshot(toRawSchema(makeRandomSchema(seed)), null).tables.length).toBeGreaterThan(0);
    expect(
      toSchemaSql({
        engine: 'mariadb',
        tables: [
          {
            name: 'a`b',
            columns: [
              {
                name: 'x',
                sqlType: 'int(11)',
                nullable: false,
                defaultSql: '1',
                autoIncrement: false,
                generatedAs: null,
                comment: "it's",
              },
            ],
            primaryKey: ['x'],
            uniqueKeys: [],
            fullTextOn: [],
            foreignKeys: [],
          },
        ],
      }),
    ).toBe(
      "CREATE TABLE `a``b` (\n  `x` int(11) NOT NULL DEFAULT 1 COMMENT 'it''s',\n  PRIMARY KEY (`x`)\n);\n",
    );
  });
});
