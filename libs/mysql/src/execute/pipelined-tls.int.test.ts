import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, getTestServers, type TestDatabase, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_POOL_OPTIONS } from '../pool/pool-options.js';
import type { DbValue, PoolAccount, PoolServer } from '../types.js';
import { createTenantPools, type TenantPools } from '../pool/tenant-pools.js';
import { runStatements } from './run-statements.js';
import { keepRows } from '../testing/keep-rows.js';

const ROWS = 40;
/** Values with no bytes, for one TLS record, for several TLS records, and for several socket reads. */
const LENGTHS = [0, 20, 20_000, 400_000];

const { engines } = getTestServers();

/** A host name of this machine that is not in any test certificate. */
const STRANGE_NAME = 'elsewhere.example';

/** These tests need the certificate authority of the test servers, which is unknown for external servers. */
describe
  .skipIf(engines.some(({ caPem }) => caPem === null))
  .each(engines.map((engine) => [engine.engine, engine] as const))(
  'sessions with TLS on %s',
  (_name, engine: TestMysql) => {
    const server: PoolServer = {
      id: 'srv_tls',
      host: engine.host,
      port: engine.port,
      tls: 'required',
      ca: engine.caPem ?? '',
      engine: engine.engine,
      connectionsMax: 6,
    };
    const databases: TestDatabase[] = [];
    const accounts: PoolAccount[] = [];
    let pools: TenantPools;

    beforeAll(async () => {
      for (let tenant = 0; tenant < 2; tenant += 1) {
        const database = await createTestDatabase(engine);
        const user = await database.addUser({ login: "IDENTIFIED BY 'secret' REQUIRE SSL" });
        await database.run([
          'CREATE TABLE t (id int PRIMARY KEY, own varchar(40) NOT NULL, body longtext NOT NULL)',
          `INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) SELECT i, CONCAT('tenant${tenant}-', i), REPEAT('ä', ELT(1 + i % 4, ${LENGTHS.join(', ')})) FROM n`,
        ]);
        databases.push(database);
        accounts.push({ user, password: () => 'secret', schema: database.name, connectionsMax: 3 });
      }
      pools = createTenantPools(DEFAULT_POOL_OPTIONS);
    });
    afterAll(async () => {
      await pools.close(500);
      await Promise.all(databases.map((database) => database.drop()));
    });

    const at = (tenant: number, endpoint = server): { server: PoolServer; account: PoolAccount } => ({
      server: endpoint,
      account: accounts[tenant] as PoolAccount,
    });
    const readOne = async (tenant: number, id: number): Promise<DbValue[][]> =>
      (
        await pools.executor.readByKey(
          at(tenant),
          5_000,
          { sql: 'SELECT id, own, CHAR_LENGTH(body) AS n, body FROM t WHERE id = ?', params: [id] },
          keepRows,
        )
      ).rows;

    it('each caller of a pipelined TLS connection gets its own row, short or long', async () => {
      await Promise.all(
        Array.from({ length: 24 }, async (_, caller) => {
          for (let iteration = 0; iteration < 6; iteration += 1) {
            const [tenant, id] = [caller % 2, 1 + ((caller * 7 + iteration * 11) % ROWS)];
            const [[foundId, own, length, body] = []] = await readOne(tenant, id);
            expect([foundId, own, Number(length), String(body).length]).toEqual([
              id,
              `tenant${tenant}-${id}`,
              LENGTHS[id % 4],
              LENGTHS[id % 4],
            ]);
          }
        }),
      );
    });

    it('a write over TLS returns its row with values of any length', async () => {
      for (const [iteration, length] of LENGTHS.entries()) {
        const text = 'ü'.repeat(length);
        const [, read] = await pools.executor.writeRecord(
          at(1),
          { waitMs: 5_000 },
          {
            write: {
              sql: 'UPDATE t SET body = ? WHERE id = ?',
              values: [text, iteration + 1],
              makeSink: keepRows,
            },
            read: {
              sql: 'SELECT own, body FROM t WHERE id = ?',
              values: [iteration + 1],
              makeSink: keepRows,
            },
          },
        );
        expect(read?.rows).toEqual([[`tenant1-${iteration + 1}`, text]]);
        expect((await readOne(0, iteration + 1))[0]?.slice(0, 2)).toEqual([
          iteration + 1,
          `tenant0-${iteration + 1}`,
        ]);
      }
    });

    it('sessions are encrypted, and not opened to a server with an unknown authority', async () => {
      const [[name, cipher] = []] = (
        await runStatements(pools, at(0), { mode: 'read', waitMs: 5_000 }, (run) =>
          run("SHOW STATUS LIKE 'Ssl_cipher'", [], keepRows()),
        )
      ).rows;
      expect([name, String(cipher).length > 3]).toEqual(['Ssl_cipher', true]);
      const { ca: _ca, ...outsider } = server;
      await expect(
        runStatements(pools, at(0, outsider), { mode: 'read', waitMs: 5_000 }, (run) =>
          run('SELECT 1', [], keepRows()),
        ),
      ).rejects.toMatchObject({ code: 'db.unavailable' });
    });

    it('with a public authority, a session requires the host name of the certificate', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'rowhouse-tls-'));
      writeFileSync(join(folder, 'ca.pem'), engine.caPem ?? '');
      // Node reads its certificate authorities once at startup.
      const connect = `
      import dns from 'node:dns';
      import { openAdminConnection } from '@rowhouse/mysql';
      const { lookup } = dns;
      dns.lookup = (name, ...rest) => lookup(name === '${STRANGE_NAME}' ? 'localhost' : name, ...rest);
      for (const host of ['localhost', '${STRANGE_NAME}']) {
        const opened = await openAdminConnection({ host, port: ${engine.port}, user: ${JSON.stringify(accounts[0]?.user)}, password: 'secret', tls: 'required' }).catch((error) => error.code ?? String(error));
        console.log(host, typeof opened === 'string' ? opened : 'opened');
        await opened.close?.();
      }`;
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '--eval', connect],
        { cwd: import.meta.dirname, env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } },
      );
      rmSync(folder, { recursive: true });
      expect(stdout.trim().split('\n')).toEqual(['localhost opened', `${STRANGE_NAME} HANDSHAKE_SSL_ERROR`]);
    });
  },
);
