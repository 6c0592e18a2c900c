import { withConnection } from '@rowhouse/local/servers/mysql-admin';
import { sendRedisCommand } from '@rowhouse/local/servers/redis-command';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from './test-database.js';
import { getTestServers } from './test-servers.js';

async function readValue(address: Parameters<typeof withConnection>[0], sql: string): Promise<unknown> {
  return withConnection(address, async (connection) => {
    const [rows] = await connection.query(sql);
    return Object.values((rows as Record<string, unknown>[])[0] ?? {})[0];
  });
}

describe.each(getTestServers().engines)('on $engine $version', (server) => {
  it('a test database with utf8mb4 is created and dropped', async () => {
    const database = await createTestDatabase(server);
    await database.run(['CREATE TABLE note (id int PRIMARY KEY)', 'INSERT INTO note VALUES (7)']);
    expect(await readValue({ ...server, database: database.name }, 'SELECT id FROM note')).toBe(7);
    expect(await readValue({ ...server, database: database.name }, 'SELECT @@character_set_database')).toBe(
      'utf8mb4',
    );
    await database.drop();
    expect(
      await readValue(
        server,
        `SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = '${database.name}'`,
      ),
    ).toBe(0);
  });

  it('no account of a test server lacks a name or a password', async () => {
    const column =
      server.engine === 'mariadb' ? "JSON_VALUE(Priv, '$.authentication_string')" : 'authentication_string';
    const table = server.engine === 'mariadb' ? 'mysql.global_priv' : 'mysql.user';
    expect(
      await readValue(
        server,
        `SELECT COUNT(*) FROM ${table} WHERE User = '' OR (${column} = '' AND User <> 'mariadb.sys')`,
      ),
    ).toBe(0);
  });
});

describe('the Redis of the run', () => {
  it('the Redis server of a test run never evicts keys', async () => {
    expect(await sendRedisCommand(getTestServers().redisUrl, ['CONFIG', 'GET', 'maxmemory-policy'])).toEqual([
      'maxmemory-policy',
      'noeviction',
    ]);
  });
});
