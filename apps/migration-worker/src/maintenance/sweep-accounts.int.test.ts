import { openAdminConnection } from '@rowhouse/mysql';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

describe.each(getTestServers().engines)('the account sweep on $engine', (mysql) => {
  let harness: WorkerHarness;
  let database: TestDb;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker({ ACCOUNT_SWEEP_MS: '300' });
    database = await harness.make('CREATE TABLE t (id int PRIMARY KEY)');
    await harness.runTask('grant_rights', {
      database_id: database.id,
      rights_hash: 'a'.repeat(64),
      tables: { t: ['read'] },
    });
  });
  afterAll(() => harness.close());

  const readEvents = async (): Promise<{ target: string; action: string; found: string[] }[]> => {
    const rows = await harness.platform.rows<{ target: string; action: string; detail: unknown }>(
      'SELECT target, action, detail FROM audit_outbox WHERE database_id = ? ORDER BY id',
      [database.id],
    );
    return rows.map(({ target, action, detail }) => ({
      target,
      action,
      found: ((typeof detail === 'string' ? JSON.parse(detail) : detail) as { found?: string[] }).found ?? [],
    }));
  };
  const runAsRoot = (sql: string): Promise<unknown> => harness.withRoot(database, (root) => root.run(sql));

  it('the account sweep leaves accounts in their expected state unchanged', async () => {
    await new Promise((resolve) => void setTimeout(resolve, 1_000));
    expect(await readEvents()).toEqual([]);
  });

  it.each([
    ['rows', "ALTER USER ? IDENTIFIED BY 'of-somebody-else'", 'the password was changed'],
    ['rows', 'ALTER USER ? ACCOUNT LOCK', 'the account is locked'],
    ['query', 'ALTER USER ? WITH MAX_USER_CONNECTIONS 0', 'the account has another session limit'],
    ['migrator', 'GRANT SELECT ON `mysql`.* TO ?', 'the account has more rights on `mysql`.* than it should'],
    ['migrator', 'GRANT RELOAD ON *.* TO ?', 'the account has rights on the whole server or a role'],
    ['rows', 'REVOKE DELETE ON `!`.* FROM ?', 'the account lacks rights on `!`.*'],
    [
      'query',
      'GRANT INSERT ON `!s`.`idempotency` TO ?',
      'the account has more rights on `!s`.`idempotency` than it should',
    ],
    ['query', 'DROP USER ?', 'the account does not exist'],
  ])('the %s account is repaired after %s', async (kind, sql, found) => {
    const { user, password } = await harness.readAccount(database.id, kind);
    const fill = (text: string): string =>
      text.replace('?', `'${user}'@'%'`).replace('!', database.schemaName);
    await runAsRoot(fill(sql));
    await expect
      .poll(readEvents)
      .toContainEqual({ target: user, action: 'account.repair', found: [fill(found)] });
    if (kind !== 'migrator')
      await (
        await openAdminConnection({
          host: mysql.host,
          port: mysql.port,
          user,
          password,
          database: database.schemaName,
        })
      ).close();
  });

  it('the account sweep repairs each account once', async () => {
    const count = (await readEvents()).length;
    await new Promise((resolve) => void setTimeout(resolve, 700));
    expect(await readEvents()).toHaveLength(count);
  });

  it('the account sweep locks an unlocked migrator and ends its unknown sessions', async () => {
    const session = await harness.openAs(database.id, database.schemaName, 'migrator');
    const { user, password } = await harness.readAccount(database.id, 'migrator');
    await expect
      .poll(() =>
        openAdminConnection({ host: mysql.host, port: mysql.port, user, password }).then(
          () => 'open',
          (error: Error) => error.message,
        ),
      )
      .toMatch(/locked/i);
    await expect
      .poll(() =>
        session.run('DO 0').then(
          () => 'open',
          () => 'ended',
        ),
      )
      .toBe('ended');
    await session.close();
    expect(await readEvents()).toContainEqual(
      expect.objectContaining({ target: user, action: 'account.session_end' }),
    );
  });

  it('unknown database accounts are listed in the advice for the operator', async () => {
    await runAsRoot(`CREATE USER '${database.schemaName}x'@'%' IDENTIFIED BY 'other'`);
    await runAsRoot(`GRANT SELECT ON \`${database.schemaName}\`.* TO '${database.schemaName}x'@'%'`);
    const readAdvice = async (): Promise<string> =>
      JSON.stringify(
        await harness.platform.rows('SELECT capabilities FROM server WHERE id = ?', [harness.serverId]),
      );
    await expect.poll(readAdvice).toContain(`${database.schemaName}x`);
    await runAsRoot(`DROP USER '${database.schemaName}x'@'%'`);
    await expect.poll(readAdvice).not.toContain(`${database.schemaName}x`);
  });
});
