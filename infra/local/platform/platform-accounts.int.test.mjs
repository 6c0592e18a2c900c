import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withConnection } from '../servers/mysql-admin.mjs';
import { rootDir } from '../paths.mjs';
import {
  CELL_SCHEMA,
  createPlatformAccounts,
  GLOBAL_SCHEMA,
  grantPlatformRights,
  PLATFORM_ACCOUNTS,
} from './platform-accounts.mjs';
import { createServerAccounts } from './server-accounts.mjs';
import { makePassword } from '../servers/start-mysql-server.mjs';

const MIGRATIONS = join(rootDir, 'apps', 'control-plane', 'src', 'platform-db', 'migrations');
const passwords = /** @type {Record<import('./platform-accounts.mjs').PlatformAccount, string>} */ (
  Object.fromEntries(PLATFORM_ACCOUNTS.map((account) => [account, makePassword()]))
);
const serverPasswords = { provisionerPassword: makePassword(), observerPassword: makePassword() };

/** @type {import('../../test-servers/start-test-servers.mjs').TestServers} */
const servers = JSON.parse(String(process.env['ROWHOUSE_TEST_SERVERS']));

/** @param {string} file */
function readTableStatements(file) {
  return [
    ...readFileSync(join(MIGRATIONS, file), 'utf8').matchAll(
      /`(CREATE TABLE[^`]*)`|'(CREATE TABLE[^'\n]*)'/g,
    ),
  ].map(([, long, short]) => long ?? short ?? '');
}

describe.each(servers.engines)('platform accounts on $engine', (server) => {
  /**
   * @param {string} user
   * @param {string} password
   * @param {string} sql
   * @returns {Promise<string>} `ok` or the server's error code
   */
  const attempt = (user, password, sql) =>
    withConnection({ ...server, user, password }, async (connection) => {
      await connection.query(sql);
      return 'ok';
    }).catch((err) => String(err.code));
  const as = (
    /** @type {import('./platform-accounts.mjs').PlatformAccount} */ account,
    /** @type {string} */ sql,
  ) => attempt(account, passwords[account], sql);

  beforeAll(async () => {
    await createPlatformAccounts(server, '127.0.0.1', passwords);
    // All migrations run, so that each grant finds its table, also a table of the newest migration.
    for (const [schema, file] of readdirSync(MIGRATIONS)
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .map((name) => [name.includes('-global-') ? GLOBAL_SCHEMA : CELL_SCHEMA, name])) {
      await withConnection(
        { ...server, user: 'rh_migrate', password: passwords.rh_migrate, database: String(schema) },
        async (connection) => {
          for (const statement of readTableStatements(String(file))) await connection.query(statement);
        },
      );
    }
    await grantPlatformRights(server, '127.0.0.1');
    await createServerAccounts(server, {
      engine: server.engine,
      accountHost: '127.0.0.1',
      ...serverPasswords,
    });
  });

  afterAll(async () => {
    const accounts = [...PLATFORM_ACCOUNTS, 'rh_provisioner', 'rh_observer'];
    await withConnection(server, async (connection) => {
      for (const schema of [GLOBAL_SCHEMA, CELL_SCHEMA])
        await connection.query(`DROP DATABASE IF EXISTS ${schema}`);
      for (const account of accounts) await connection.query(`DROP USER IF EXISTS '${account}'@'127.0.0.1'`);
    });
  });

  it("the control plane's account can read and write rows of both schemas but alter no table", async () => {
    expect(await as('rh_control', `SELECT * FROM ${GLOBAL_SCHEMA}.account`)).toBe('ok');
    expect(await as('rh_control', `DELETE FROM ${CELL_SCHEMA}.api_key WHERE id = 'none'`)).toBe('ok');
    expect(await as('rh_control', `ALTER TABLE ${CELL_SCHEMA}.api_key ADD x int`)).toMatch(/DENIED/);
  });

  it("the worker's platform account cannot read user accounts", async () => {
    expect(await as('rh_worker', `UPDATE ${CELL_SCHEMA}.migration SET progress = 0 WHERE id = 'none'`)).toBe(
      'ok',
    );
    expect(await as('rh_worker', `SELECT * FROM ${GLOBAL_SCHEMA}.account`)).toMatch(/DENIED/);
  });

  it("the gateway's platform account can only read keys and record their use", async () => {
    expect(await as('rh_gateway', `SELECT * FROM ${CELL_SCHEMA}.api_key`)).toBe('ok');
    expect(
      await as(
        'rh_gateway',
        `UPDATE ${CELL_SCHEMA}.api_key SET last_used_at = UTC_TIMESTAMP(3) WHERE id = 'none'`,
      ),
    ).toBe('ok');
    expect(
      await as('rh_gateway', `UPDATE ${CELL_SCHEMA}.api_key SET revoked_at = NULL WHERE id = 'none'`),
    ).toMatch(/DENIED/);
    expect(
      await as(
        'rh_gateway',
        `INSERT INTO ${CELL_SCHEMA}.snapshot_content VALUES ('h', 'c1', 'x', UTC_TIMESTAMP(3))`,
      ),
    ).toMatch(/DENIED/);
    expect(await as('rh_gateway', `SELECT * FROM ${CELL_SCHEMA}.connection_user`)).toMatch(/DENIED/);
    expect(await as('rh_gateway', `SELECT * FROM ${GLOBAL_SCHEMA}.account`)).toMatch(/DENIED/);
  });

  it('the provisioner account can create a database and an account, and grant its privileges', async () => {
    const provisioner = (/** @type {string} */ sql) =>
      attempt('rh_provisioner', serverPasswords.provisionerPassword, sql);
    expect(await provisioner('CREATE DATABASE pacctest CHARACTER SET utf8mb4')).toBe('ok');
    expect(await provisioner("CREATE USER pacctest@'%' IDENTIFIED BY 'Zx9-long-enough'")).toBe('ok');
    expect(
      await provisioner(
        "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES, CREATE VIEW, SHOW VIEW, TRIGGER, CREATE ROUTINE, ALTER ROUTINE, EXECUTE, LOCK TABLES, CREATE TEMPORARY TABLES ON pacctest.* TO pacctest@'%'",
      ),
    ).toBe('ok');
    expect(await provisioner("GRANT FILE ON *.* TO pacctest@'%'")).toMatch(/DENIED/);
    expect(await provisioner("DROP USER pacctest@'%'")).toBe('ok');
    expect(await provisioner('DROP DATABASE pacctest')).toBe('ok');
  });

  it('the observer account can read definitions but no rows', async () => {
    const observer = (/** @type {string} */ sql) =>
      attempt('rh_observer', serverPasswords.observerPassword, sql);
    expect(await observer(`SHOW CREATE TABLE ${CELL_SCHEMA}.api_key`)).toBe('ok');
    expect(await observer('SELECT COUNT(*) FROM performance_schema.threads')).toBe('ok');
    expect(await observer(`SELECT * FROM ${CELL_SCHEMA}.api_key`)).toMatch(/DENIED/);
  });
});

/** Runs the launcher on a given server, in a process that may or may not trust the authority. */
const CHECK = `
const { checkGivenMysql } = await import(process.env.LOCAL + '/servers/provide-servers.mjs');
const { withConnection } = await import(process.env.LOCAL + '/servers/mysql-admin.mjs');
try {
  const { admin, tls } = await checkGivenMysql(process.env.URL, {});
  const [[row]] = await withConnection(admin, (connection) => connection.query("SHOW STATUS LIKE 'Ssl_cipher'"));
  console.log(JSON.stringify({ tls, cipher: row.Value }));
} catch (err) {
  console.log(JSON.stringify({ message: err.message, hint: err.hint }));
}`;

/** Runs only on servers that this run has started, because the CA of other servers is not known. */
describe.each(servers.engines.filter(({ caPem }) => caPem !== null))(
  'the sessions of the launcher at a given $engine',
  (server) => {
    const account = 'rh_given_by_tls';
    const folder = mkdtempSync(join(tmpdir(), 'rowhouse-given-'));
    const caFile = join(folder, 'ca.pem');
    beforeAll(async () => {
      writeFileSync(caFile, String(server.caPem));
      await withConnection(server, async (connection) => {
        await connection.query(`CREATE USER '${account}'@'%' IDENTIFIED BY 'Zx9-long-enough' REQUIRE SSL`);
        await connection.query(`GRANT ALL PRIVILEGES ON *.* TO '${account}'@'%' WITH GRANT OPTION`);
      });
    });
    afterAll(async () => {
      await withConnection(server, (connection) => connection.query(`DROP USER IF EXISTS '${account}'@'%'`));
      rmSync(folder, { recursive: true });
    });

    const check = (/** @type {string} */ options, env = {}) => {
      const url = `mysql://${account}:Zx9-long-enough@localhost:${server.port}${options}`;
      return JSON.parse(
        spawnSync(process.execPath, ['--input-type=module', '-e', CHECK], {
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], LOCAL: join(rootDir, 'infra', 'local'), URL: url, ...env },
        }).stdout,
      );
    };

    it("the launcher's sessions use TLS if the address requires it, and verify the certificate", () => {
      expect(check('?tls=required', { NODE_EXTRA_CA_CERTS: caFile })).toEqual({
        tls: 'required',
        cipher: expect.stringMatching(/.{5}/),
      });
      expect(check('?tls=required')).toMatchObject({
        message: expect.stringMatching(/certificate/),
        hint: expect.stringMatching(/NODE_EXTRA_CA_CERTS/),
      });
      expect(check('?tls=off', { NODE_EXTRA_CA_CERTS: caFile })).toMatchObject({
        message: expect.stringMatching(/Access denied/),
      });
    });
  },
);
