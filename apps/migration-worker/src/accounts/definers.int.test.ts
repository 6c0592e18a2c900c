import { connectionSecretPurpose, type ConnectionRole } from '@rowhouse/contracts';
import { openAdminConnection, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import { createId, randomBase32 } from '@rowhouse/runtime';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

const SCHEMA = `CREATE TABLE notes (id int PRIMARY KEY AUTO_INCREMENT, body varchar(40), who varchar(120));
  CREATE TABLE seen (who varchar(120));
  CREATE FUNCTION me() RETURNS varchar(120) DETERMINISTIC RETURN CURRENT_USER();
  CREATE PROCEDURE make_table() CREATE TABLE made (a int);
  CREATE PROCEDURE make_view() CREATE VIEW made_view AS SELECT 1 AS a;
  CREATE PROCEDURE read_side() SELECT * FROM notes WHERE id = 1;
  CREATE PROCEDURE whoami() SELECT CURRENT_USER() AS who;
  CREATE TRIGGER sign BEFORE INSERT ON notes FOR EACH ROW SET NEW.who = CURRENT_USER();
  CREATE VIEW signed AS SELECT id, me() AS who FROM notes;`;

interface Owned {
  readonly kind: string;
  readonly name: string;
  readonly definer: string;
}

describe.each(getTestServers().engines)('definers of stored objects on $engine', (mysql) => {
  let harness: WorkerHarness;
  let database: TestDb;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
    database = await harness.make(SCHEMA);
  });
  afterAll(() => harness.close());

  async function connectAs(
    target: TestDb,
    role: ConnectionRole,
  ): Promise<{ id: string; user: string; session: AdminConnection }> {
    const [id, user, password] = [createId('con'), `u${randomBase32(20)}`, randomBase32(20)];
    const sealed = harness.box.seal(password, connectionSecretPurpose(id)).toString('base64');
    await harness.runTask('create_connection', {
      connection_id: id,
      database_id: target.id,
      role,
      user_name: user,
      password_sealed: sealed,
      require_tls: false,
    });
    const { host, port } = harness.mysql;
    return {
      id,
      user,
      session: await openAdminConnection({ host, port, user, password, database: target.schemaName }),
    };
  }

  const revoke = (target: TestDb, connection: { id: string; user: string }): Promise<unknown> =>
    harness.runTask('revoke_connection', {
      connection_id: connection.id,
      database_id: target.id,
      user_name: connection.user,
    });

  async function listOwned(target: TestDb): Promise<Owned[]> {
    const schema = `'${target.schemaName}'`;
    return harness.check<Owned>(
      target,
      `SELECT LOWER(ROUTINE_TYPE) AS kind, ROUTINE_NAME AS name, DEFINER AS definer FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ${schema}
      UNION ALL SELECT 'trigger', TRIGGER_NAME, DEFINER FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ${schema}
      UNION ALL SELECT 'view', TABLE_NAME, DEFINER FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ${schema}`,
    );
  }

  const errnoOf = (run: Promise<unknown>): Promise<number | undefined> =>
    run.then(
      () => undefined,
      (error: unknown) => readServerFault(error)?.errno ?? -1,
    );
  const definerOf = (target: TestDb): string => `${target.schemaName}d@%`;

  it(
    'every deployed or restored object belongs to the locked definer account',
    { timeout: 120_000 },
    async () => {
      const owned = await listOwned(database);
      expect(owned.map(({ name }) => name).sort()).toEqual([
        'make_table',
        'make_view',
        'me',
        'read_side',
        'sign',
        'signed',
        'whoami',
      ]);
      const changed = await harness.deploy(
        database,
        `CREATE OR REPLACE VIEW signed AS SELECT id, body, me() AS who FROM notes; DROP PROCEDURE read_side;
      DROP TRIGGER sign; CREATE TRIGGER sign BEFORE INSERT ON notes FOR EACH ROW SET NEW.who = CONCAT(CURRENT_USER(), '');`,
      );
      expect(changed.row).toMatchObject({ state: 'published', error: null });
      expect((await harness.revert(database, changed.row.id)).row).toMatchObject({
        state: 'published',
        error: null,
      });
      const now = await listOwned(database);
      expect(now).toHaveLength(7);
      expect(new Set(now.map(({ definer }) => definer))).toEqual(new Set([definerOf(database)]));
    },
  );

  it('no deployed object gives its caller or its author additional rights', async () => {
    const writer = await connectAs(database, 'read-write');
    try {
      await writer.session.run("INSERT INTO notes (body) VALUES ('a')");
      expect(await writer.session.rows('SELECT who FROM signed LIMIT 1')).toEqual([
        { who: definerOf(database) },
      ]);
      expect(await errnoOf(writer.session.run('CALL make_table()'))).toBe(1142);
      expect(await errnoOf(writer.session.run('CALL make_view()'))).toBe(1142);
      for (const role of ['r', 'q', 'm', 'd']) {
        const { host, port } = harness.mysql;
        expect(
          await errnoOf(
            openAdminConnection({ host, port, user: `${database.schemaName}${role}`, password: '' }),
          ),
        ).toBeGreaterThan(0);
      }
    } finally {
      await writer.session.close();
      await revoke(database, writer);
    }
  });

  it('the definer account has no DDL rights, side schema or login after a deploy', async () => {
    const root = await harness.openRoot();
    try {
      const grants = await root.rows<Record<string, string>>(`SHOW GRANTS FOR '${database.schemaName}d'@'%'`);
      const texts = grants
        .flatMap((row) => Object.values(row))
        .filter((text) => !text.startsWith('GRANT USAGE'));
      expect(texts).toHaveLength(1);
      expect(texts[0]).toContain(`ON \`${database.schemaName}\`.*`);
      expect(texts[0]).not.toMatch(/CREATE(?! TEMPORARY)|ALTER|DROP|INDEX|LOCK|REFERENCES|OPTION/);
      const [visible] = await root.rows<Record<string, string>>(
        `SHOW CREATE USER '${database.schemaName}d'@'%'`,
      );
      expect(Object.values(visible ?? {})[0]).toMatch(/ACCOUNT LOCK/);
    } finally {
      await root.close();
    }
  });

  it.each([
    ['a generated column', 'CREATE TABLE called (a int, b varchar(120) AS (me()) STORED)'],
    ['a default', 'CREATE TABLE called (a int, b varchar(120) DEFAULT (me()))'],
    ['a check', "CREATE TABLE called (a int, CHECK (me() <> ''))"],
    ['a partition', 'CREATE TABLE called (a int) PARTITION BY HASH (CHAR_LENGTH(me())) PARTITIONS 2'],
  ])('the engine rejects a call of a stored function in %s', async (_where, sql) => {
    expect(await errnoOf(harness.withRoot(database, (root) => root.run(sql)))).toBeGreaterThan(0);
  });

  it.each([
    ['dynamic SQL', 'CREATE PROCEDURE evil(IN x text) EXECUTE IMMEDIATE x'],
    [
      'dynamic SQL by a prepared statement',
      "CREATE PROCEDURE evil() BEGIN PREPARE s FROM 'SELECT 1'; EXECUTE s; END",
    ],
    ['a new password', "CREATE PROCEDURE evil() SET PASSWORD = 'x'"],
    ['another database', 'CREATE PROCEDURE evil() DROP DATABASE IF EXISTS other'],
  ])('a procedure with %s cannot be deployed', async (_what, sql) => {
    await expect(harness.deploy(database, `${sql};`)).rejects.toMatchObject({
      code: expect.stringMatching(/^schema\.(statement_not_allowed|invalid_sql)$/) as unknown,
    });
  });

  it('an owner cannot create, change or drop a routine over a direct connection', async () => {
    const owner = await connectAs(database, 'owner');
    try {
      for (const sql of [
        'CREATE PROCEDURE own() SELECT 1',
        'CREATE FUNCTION own() RETURNS int RETURN 1',
        'ALTER FUNCTION me SQL SECURITY INVOKER',
        'ALTER PROCEDURE whoami SQL SECURITY INVOKER',
        'DROP FUNCTION me',
      ]) {
        expect(await errnoOf(owner.session.run(sql)), sql).toBeGreaterThan(0);
      }
    } finally {
      await owner.session.close();
      await revoke(database, owner);
    }
  });

  it('an open session of the definer account is ended', async () => {
    const name = `${database.schemaName}d`;
    await harness.withRoot(database, (root) =>
      root.run(`ALTER USER '${name}'@'%' IDENTIFIED BY 'known-9-Known' ACCOUNT UNLOCK`),
    );
    const { host, port } = harness.mysql;
    const intruder = await openAdminConnection({
      host,
      port,
      user: name,
      password: 'known-9-Known',
      database: database.schemaName,
    });
    await harness.deploy(database, 'CREATE VIEW again AS SELECT 1 AS a;');
    expect(await errnoOf(intruder.rows('SELECT 1'))).toBeDefined();
    expect(
      await errnoOf(openAdminConnection({ host, port, user: name, password: 'known-9-Known' })),
    ).toBeGreaterThan(0);
    await intruder.close();
  });

  it(
    'objects of a revoked owner move to the definer account, and triggers keep their order',
    { timeout: 60_000 },
    async () => {
      const own = await harness.make(
        'CREATE TABLE logs (id int PRIMARY KEY, text varchar(80)); CREATE TABLE other (id int PRIMARY KEY)',
      );
      const owner = await connectAs(own, 'owner');
      await owner.session.run(
        "CREATE TRIGGER first BEFORE INSERT ON logs FOR EACH ROW SET NEW.text = CONCAT(NEW.text, '1')",
      );
      await owner.session.run(
        "CREATE TRIGGER second BEFORE INSERT ON logs FOR EACH ROW SET NEW.text = CONCAT(NEW.text, '2')",
      );
      await owner.session.run('CREATE VIEW short AS SELECT id, text, CURRENT_USER() AS who FROM logs');
      expect(new Set((await listOwned(own)).map(({ definer }) => definer))).toEqual(
        new Set([`${owner.user}@%`]),
      );
      await revoke(own, owner);
      await owner.session.close();
      const owned = await listOwned(own);
      expect(owned).toHaveLength(3);
      expect(new Set(owned.map(({ definer }) => definer))).toEqual(new Set([definerOf(own)]));
      await harness.withRoot(own, (root) => root.run("INSERT INTO logs VALUES (1, '0')"));
      expect(await harness.check(own, 'SELECT text, who FROM short')).toEqual([
        { text: '012', who: definerOf(own) },
      ]);
      expect(await harness.check(own, `SELECT 1 FROM mysql.user WHERE User = '${owner.user}'`)).toEqual([]);
    },
  );

  it(
    "a view opened by a worker never calls a function with the worker's rights",
    { timeout: 60_000 },
    async () => {
      const own = await harness.make(
        'CREATE TABLE logs (id int PRIMARY KEY AUTO_INCREMENT, who varchar(120))',
      );
      const trap = (
        security: string,
      ): string => `CREATE FUNCTION trap(a int) RETURNS int DETERMINISTIC MODIFIES SQL DATA ${security}
      BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; INSERT INTO logs (who) VALUES (CURRENT_USER()); RETURN 1; END;`;
      await expect(harness.deploy(own, trap('SQL SECURITY INVOKER'))).rejects.toMatchObject({
        code: 'schema.statement_not_allowed',
      });
      await harness.deploy(own, trap(''));
      const owner = await connectAs(own, 'owner');
      // A server evaluates a constant argument of ROUND even if it only opens the view.
      await owner.session.run(
        'CREATE SQL SECURITY INVOKER VIEW bait AS SELECT ROUND(1.5, trap(1)) AS x, trap(2) AS y',
      );
      await harness.runTask('grant_rights', {
        database_id: own.id,
        rights_hash: 'ab'.repeat(16),
        tables: { logs: ['read'] },
      });
      await harness.deploy(own, 'CREATE TABLE more (id int PRIMARY KEY);');
      expect((await harness.readSnapshot(own.id)).snapshot.tables.map(({ name }) => name)).toContain('bait');
      await owner.session.close();
      await revoke(own, owner);
      const callers = await harness.check<{ who: string }>(own, 'SELECT DISTINCT who FROM logs');
      expect(callers.filter(({ who }) => !who.startsWith('x') && who !== definerOf(own))).toEqual([]);
    },
  );

  // MySQL does not run the function when it creates the view, and its statement limit applies to SELECT only.
  it.runIf(mysql.engine === 'mariadb')(
    'a function in a view runs with a time limit when a worker opens or creates the view',
    { timeout: 60_000 },
    async () => {
      const own =
        await harness.make(`CREATE TABLE logs (id int PRIMARY KEY AUTO_INCREMENT, who varchar(120), seconds double);
      CREATE FUNCTION note(a int) RETURNS int DETERMINISTIC MODIFIES SQL DATA
      BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; INSERT INTO logs (who, seconds) VALUES (USER(), @@max_statement_time); RETURN 1; END;`);
      const owner = await connectAs(own, 'owner');
      await owner.session.run('CREATE VIEW bait AS SELECT ROUND(1.5, note(1)) AS x');
      await owner.session.close();
      await revoke(own, owner);
      await harness.deploy(own, 'CREATE VIEW deployed AS SELECT ROUND(1.5, note(1)) AS x');
      const callers = await harness.check<{ who: string; seconds: number }>(
        own,
        'SELECT who, seconds FROM logs',
      );
      expect(callers.filter(({ who }) => who.startsWith(`${own.schemaName}d@`)).length).toBeGreaterThan(1);
      expect(
        callers.filter(({ who, seconds }) => Number(seconds) === 0 && !who.startsWith(owner.user)),
      ).toEqual([]);
    },
  );

  it('a starting worker secures databases that an older version created', { timeout: 60_000 }, async () => {
    const old = await harness.make('CREATE TABLE logs (id int PRIMARY KEY, text varchar(80))');
    const migrator = `'${old.schemaName}m'@'%'`;
    const isMariadb = mysql.engine === 'mariadb';
    const owner = await connectAs(old, 'owner');
    await harness.platform.run(
      "INSERT INTO connection_user (id, cell_id, database_id, name, role, user_name, created_by, created_at) VALUES (?, ?, ?, 'old', 'owner', ?, 'acc_test', UTC_TIMESTAMP(3))",
      [owner.id, harness.cellId, old.id, owner.user],
    );
    await harness.withRoot(old, async (root) => {
      await root.run(
        `CREATE DEFINER = ${migrator} TRIGGER sign BEFORE INSERT ON logs FOR EACH ROW SET NEW.text = CURRENT_USER()`,
      );
      await root.run(`CREATE DEFINER = ${migrator} VIEW signed AS SELECT CURRENT_USER() AS who`);
      await root.run(`CREATE DEFINER = ${migrator} PROCEDURE whoami() SELECT CURRENT_USER() AS who`);
      await root.run(
        `CREATE DEFINER = ${migrator} FUNCTION trap() RETURNS int DETERMINISTIC SQL SECURITY INVOKER RETURN 1`,
      );
      await root.run(`GRANT CREATE ROUTINE, ALTER ROUTINE ON \`${old.schemaName}\`.* TO '${owner.user}'@'%'`);
      if (isMariadb)
        await root.run(`CREATE DEFINER = ${migrator} PROCEDURE evil(IN x text) EXECUTE IMMEDIATE x`);
      // An owner can make the schema read-only, and the worker must handle a read-only schema.
      else await root.run(`ALTER DATABASE ${old.schemaName} READ ONLY = 1`);
    });
    await harness.stopWorkers();
    await harness.startWorker();
    await harness.poll(
      async () => ((await listOwned(old)).every(({ definer }) => definer === definerOf(old)) ? true : null),
      20_000,
    );
    expect((await listOwned(old)).map(({ name }) => name).sort()).toEqual([
      'sign',
      'signed',
      'trap',
      'whoami',
    ]);
    expect(
      await harness.check(
        old,
        `SELECT SECURITY_TYPE AS type FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = '${old.schemaName}' AND ROUTINE_NAME = 'trap'`,
      ),
    ).toEqual([{ type: 'DEFINER' }]);
    expect(
      await harness.check(
        old,
        `SELECT 1 FROM information_schema.SCHEMA_PRIVILEGES WHERE GRANTEE = CONCAT('''${owner.user}''@''%''') AND PRIVILEGE_TYPE LIKE '%ROUTINE'`,
      ),
    ).toEqual([]);
    await owner.session.close();
    await revoke(old, owner);
    expect(await harness.check(old, 'SELECT who FROM signed')).toEqual([{ who: definerOf(old) }]);
  });

  it(
    'a right is revoked even if a function changes the session that reads the schema',
    { timeout: 60_000 },
    async () => {
      const target = await harness.make('CREATE TABLE people (id int PRIMARY KEY, secret int)');
      const narrowed = await harness.runTask('grant_rights', {
        database_id: target.id,
        rights_hash: 'ab'.repeat(16),
        tables: { people: ['read'], seen: ['read'] },
      });
      // Creates the objects as an older version of Rowhouse deployed them.
      await harness.withRoot(target, async (root) => {
        await root.run(
          `CREATE DEFINER = '${definerOf(target).replace('@', "'@'")}' FUNCTION blind(x int) RETURNS int DETERMINISTIC BEGIN SET SESSION sql_select_limit = 0; RETURN 1; END`,
        );
      });
      const owner = await connectAs(target, 'owner');
      await owner.session.run('CREATE VIEW seen AS SELECT ROUND(1.5, blind(1)) AS x, 1 AS y');
      await harness.platform.run('UPDATE tenant_database SET settings = ? WHERE id = ?', [
        JSON.stringify({ hidden_columns: { people: ['secret'], seen: ['y'] } }),
        target.id,
      ]);
      await harness.deploy(target, 'CREATE TABLE more (id int PRIMARY KEY);');
      const rightsOn = (userName: string): Promise<unknown[]> =>
        harness.check(
          target,
          `SELECT TABLE_NAME AS name FROM information_schema.SCHEMA_PRIVILEGES p JOIN (SELECT '*' AS TABLE_NAME) t WHERE GRANTEE = '''${userName}''@''%'''
      UNION ALL SELECT TABLE_NAME FROM information_schema.TABLE_PRIVILEGES WHERE GRANTEE = '''${userName}''@''%''' AND TABLE_NAME = 'people'`,
        );
      const { user_name: userName } = narrowed as { user_name: string };
      expect([await rightsOn(userName), await rightsOn(`${target.schemaName}q`)]).toEqual([[], []]);
      await harness.withRoot(target, async (root) => {
        await root.run(`GRANT SELECT ON ${target.schemaName}.people TO '${userName}'@'%'`);
      });
      await harness.runTask('grant_rights', {
        database_id: target.id,
        rights_hash: 'ab'.repeat(16),
        tables: { people: ['read'], seen: ['read'] },
      });
      expect(await rightsOn(userName)).toEqual([]);
      await owner.session.close();
      await revoke(target, owner);
      expect(await listOwned(target)).toContainEqual({
        kind: 'view',
        name: 'seen',
        definer: definerOf(target),
      });
    },
  );

  it.runIf(mysql.engine === 'mysql')(
    'a database that its owner has made read-only can be dropped',
    { timeout: 60_000 },
    async () => {
      const target = await harness.make('CREATE TABLE notes (id int PRIMARY KEY)');
      const { session } = await connectAs(target, 'owner');
      await session.run(`ALTER DATABASE ${target.schemaName} READ ONLY = 1`);
      await session.close();
      await harness.runTask('drop_database', { database_id: target.id });
      const root = await harness.openRoot();
      expect(await root.rows(`SHOW DATABASES LIKE '${target.schemaName}%'`)).toEqual([]);
      await root.close();
    },
  );
});
