import { createTestDatabase, getTestServers, type TestDatabase } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { CASE_SCHEMA_SQL, fillSchemaName, HIDDEN_TABLES, KNOWN_TABLES } from '../../test/schema.js';
import { BORROWED_NAMES } from '../../test/hostile-names.js';
import { VALID_READS } from '../../test/valid-reads.js';
import { guardQuery } from './guard-query.js';

/** The SQL mode of query sessions. The guard's lexer requires that all other modes are off. */
const SET_MODE = "SET SESSION sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'";

/**
 * Texts whose meaning depends on where the server ends a string literal or a comment. Each must return the
 * row `1`.
 */
const LEXICAL_CASES: readonly string[] = [
  "SELECT 'a' = 'a' -- ' = 'b'",
  "SELECT 'it''s' = \"it's\"",
  "SELECT 'a\\'b' = \"a'b\"",
  "SELECT '\\\\' = CHAR(92)",
  'SELECT 1 # 2\n',
  'SELECT 1 /* ; */ -- ;',
  'SELECT 3--2 = 5',
  "SELECT 'x' '\\n' 'y' = CONCAT('x', CHAR(10), 'y')",
  "SELECT x'41' = 'A' AND 0x41 = 'A'",
  'SELECT .5 + 1. = 1.5',
  "SELECT N'a' = _utf8mb4'a'",
];

for (const engine of getTestServers().engines) {
  describe(`what the guard accepts, on ${engine.engine} ${engine.version}`, () => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await createTestDatabase(engine, 'guard');
      await database.run(CASE_SCHEMA_SQL);
    });

    afterAll(async () => {
      await database.drop();
    });

    const borrowed = BORROWED_NAMES.map((sql) => ({ sql, params: undefined, engine: undefined }));
    const reads = [...VALID_READS, ...borrowed].filter(
      (read) => read.engine === undefined || read.engine === engine.engine,
    );
    it.each(reads)('the server accepts the guarded text and parameters of $sql', async ({ sql, params }) => {
      const guarded = guardQuery(fillSchemaName(sql, database.name), {
        tables: KNOWN_TABLES,
        hiddenNames: HIDDEN_TABLES,
        schemaName: database.name,
        params,
      });
      if (guarded.kind !== 'select' && guarded.kind !== 'explain')
        throw new Error(`no read: ${guarded.kind}`);
      await database.run([SET_MODE, `PREPARE guarded FROM ${quote(guarded.runSql)}`]);
    });

    it.each(LEXICAL_CASES)(
      'the server and guardQuery end literals and comments at the same position: %s',
      async (sql) => {
        const guarded = guardQuery(sql, { tables: KNOWN_TABLES, hiddenNames: [], schemaName: database.name });
        if (guarded.kind !== 'select') throw new Error(`no read: ${guarded.kind}`);
        // In strict mode, an INSERT fails at a division by zero. Therefore the statement fails unless the row
        // is 1.
        const check = (text: string): string =>
          `INSERT INTO order_items (order_id, product_id) SELECT 0, 1 / ((${text}) = 1)`;
        const strict = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO'";
        await database.run([
          strict,
          'DELETE FROM order_items',
          check(`${sql}\n`),
          'DELETE FROM order_items',
          check(guarded.runSql),
        ]);
      },
    );
  });
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
