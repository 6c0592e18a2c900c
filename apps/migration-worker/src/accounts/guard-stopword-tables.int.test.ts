import { openAdminConnection, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { createLogger, randomBase32 } from '@rowhouse/runtime';
import { createTestDatabase, getTestServers, type TestDatabase } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkerContext } from '../worker-context.js';
import { guardStopwordTables } from './guard-stopword-tables.js';

/** Tables that engines accept as stopword lists. The last part of a name is that of a partition. */
const SHAPES: readonly (readonly [name: string, columns: string, partition?: string])[] = [
  ['plain', '(value varchar(40) PRIMARY KEY)'],
  ['without-key', '(value varchar(40), b int)'],
  ['searched', '(value varchar(40), FULLTEXT (value))'],
  ['packed', '(value varchar(40) PRIMARY KEY) ROW_FORMAT=COMPRESSED'],
  ['computed', '(v int AS (1) VIRTUAL, value varchar(40))'],
  ['ünquiet', '(value varchar(40) CHARACTER SET latin1 INVISIBLE, b int)'],
  ['parted', '(value varchar(40) PRIMARY KEY) PARTITION BY KEY () PARTITIONS 1', 'p0'],
];
/** A table of MariaDB that keeps old versions of its rows. */
const VERSIONED = ['versioned', '(value varchar(40), b int) WITH SYSTEM VERSIONING'] as const;

describe.each(getTestServers().engines)('tables of other tenants as stopword lists on $engine', (mysql) => {
  const schema = `p${randomBase32(15)}`;
  const shapes = mysql.engine === 'mariadb' ? [...SHAPES, VERSIONED] : SHAPES;
  let attacker: TestDatabase;
  let root: AdminConnection;
  let session: AdminConnection;
  const open = (user: string, password: string, database?: string): Promise<AdminConnection> =>
    openAdminConnection({ host: mysql.host, port: mysql.port, user, password, database });
  const ctx = {
    access: { openProvisioner: () => open(mysql.user, mysql.password) },
    logger: createLogger('test', 'silent'),
  } as unknown as WorkerContext;
  const server = {
    id: 'srv',
    engine: mysql.engine,
    isDedicated: false,
    capabilities: { alterNocopy: mysql.engine === 'mariadb', invisibleColumns: true },
  } as unknown as WorkerServer;

  beforeAll(async () => {
    attacker = await createTestDatabase(mysql, 'w');
    root = await open(mysql.user, mysql.password);
    await root.run(`CREATE DATABASE ${schema}`);
    await root.run(`CREATE USER '${attacker.name}'@'%' IDENTIFIED BY '${attacker.name}'`);
    await root.run(
      `GRANT SELECT, INSERT, CREATE, DROP, INDEX ON ${attacker.name}.* TO '${attacker.name}'@'%'`,
    );
    session = await open(attacker.name, attacker.name, attacker.name);
    for (const [name, columns] of shapes) {
      await root.run(`CREATE TABLE ${schema}.\`${name}\` ${columns}`);
      await root.run(`INSERT INTO ${schema}.\`${name}\` (value) VALUES ('swordfish')`);
    }
    await root.run(`CREATE VIEW ${schema}.seen AS SELECT value FROM ${schema}.plain`);
  });
  afterAll(async () => {
    await session.close();
    await root.run(`DROP USER IF EXISTS '${attacker.name}'@'%'`);
    await root.run(`DROP DATABASE IF EXISTS ${schema}`);
    await root.close();
    await attacker.drop();
  });

  /** Returns whether the attacker's full-text index reveals that `swordfish` is a row of the table. */
  async function reveals(name: string, partition?: string): Promise<boolean> {
    const encoded = name.replace('-', '@002d').replace('ü', '@1o');
    const [mark, lower] = partition === undefined ? ['', ''] : [`#P#${partition}`, `#p#${partition}`];
    const table = `${schema}/${encoded}${mysql.engine === 'mysql' ? lower : mark}`;
    try {
      await session.run('SET SESSION innodb_ft_user_stopword_table = ?', [table]);
    } catch {
      return false;
    }
    await session.run('DROP TABLE IF EXISTS words');
    await session.run('CREATE TABLE words (w varchar(40), FULLTEXT (w))');
    await session.run(`INSERT INTO words VALUES ('swordfish'), ('goldfish')`);
    const rows = await session.rows<{ w: string }>(
      `SELECT w FROM words WHERE MATCH (w) AGAINST ('swordfish goldfish' IN BOOLEAN MODE)`,
    );
    return rows.length === 1;
  }
  const listReadable = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const [name, , partition] of shapes) if (await reveals(name, partition)) found.push(name);
    return found;
  };

  it('guardStopwordTables leaves no table that can be used as a stopword list', async () => {
    expect(await guardStopwordTables(ctx, { ...server, isDedicated: true })).toBe(0);
    const rows = await root.rows(`SELECT * FROM ${schema}.\`without-key\``);
    expect(await listReadable()).toEqual(shapes.map(([name]) => name));

    // An owner may make the schema read-only at any time.
    if (mysql.engine === 'mysql') await root.run(`ALTER DATABASE ${schema} READ ONLY = 1`);
    expect(await guardStopwordTables(ctx, server)).toBe(shapes.length);

    expect(await listReadable()).toEqual([]);
    expect(await root.rows(`SELECT * FROM ${schema}.\`without-key\``)).toEqual(rows);
    await root.run(`INSERT INTO ${schema}.\`without-key\` VALUES ('x', 1)`);
    expect(await guardStopwordTables(ctx, server)).toBe(0);
  });
});
