import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  MIGRATION_END_STATES,
  type MigrationPlan,
  type TaskKind,
  type TaskPayload,
  type TaskResult,
} from '@rowhouse/contracts';
import {
  createSecretBox,
  generateEnvelopeKeys,
  sealToPublicKey,
  type SecretBox,
} from '@rowhouse/credentials';
import { structureText } from '@rowhouse/ddl-plan';
import { createAdminPool, openAdminConnection, type AdminConnection, type AdminPool } from '@rowhouse/mysql';
import type { JobNotificationProducer } from '@rowhouse/queue';
import { createJobNotificationProducer } from '@rowhouse/queue/job-notifications';
import { createId, createLogger, randomBase32 } from '@rowhouse/runtime';
import type { Snapshot } from '@rowhouse/schema-model';
import { decodeSnapshot } from '@rowhouse/snapshot-store';
import {
  createTestDatabase,
  getTestServers,
  makeUniqueName,
  type TestDatabase,
  type TestMysql,
} from '@rowhouse/testkit';
import { TestWorker } from './test-worker.js';

// The module with the migrations of the platform's tables, as built by the control plane. It is imported by
// its path.
const CELL_MIGRATIONS = new URL('../../../control-plane/dist/platform-db/cell-migrations.js', import.meta.url)
  .href;

const PROVISIONER_GRANTS = (account: string): string[] => [
  `GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES, CREATE VIEW, SHOW VIEW, TRIGGER, CREATE ROUTINE, ALTER ROUTINE, EXECUTE, LOCK TABLES, CREATE TEMPORARY TABLES ON *.* TO ${account} WITH GRANT OPTION`,
  `GRANT CREATE USER, PROCESS, SHOW DATABASES, RELOAD ON *.* TO ${account}`,
];
const OBSERVER_GRANTS = (account: string): string[] => [
  `GRANT PROCESS, REFERENCES ON *.* TO ${account}`,
  `GRANT SELECT ON performance_schema.* TO ${account}`,
];

interface CellMigration {
  up(runner: { query(sql: string, values?: readonly string[]): Promise<unknown> }): Promise<void>;
}

/** A tenant's database. */
export interface TestDb {
  readonly id: string;
  readonly schemaName: string;
  readonly projectId: string;
}

export interface MigrationRow {
  readonly id: string;
  readonly state: string;
  readonly error: { code: string; detail: string } | null;
  readonly attempt: number;
  readonly published_number: number | null;
  readonly ddl_done_at: string | null;
}

/** A cell for tests: a platform database, one server, and workers as child processes. */
export class WorkerHarness {
  readonly cellId = makeUniqueName('c', 14);
  readonly masterKey = randomBytes(32);
  readonly box: SecretBox = createSecretBox([this.masterKey]);
  readonly #envelope = generateEnvelopeKeys();
  readonly #workers = new Set<TestWorker>();
  readonly #schemas: string[] = [];
  readonly #serverAccounts: string[] = [];
  #notify: JobNotificationProducer | undefined;

  private constructor(
    readonly mysql: TestMysql,
    readonly redisUrl: string,
    readonly platformDb: TestDatabase,
    readonly platform: AdminPool,
    readonly serverId: string,
  ) {}

  static async create(mysql: TestMysql = getTestServers().mysql): Promise<WorkerHarness> {
    const { redisUrl } = getTestServers();
    const platformDb = await createTestDatabase(mysql, 'w');
    const password = mysql.password === '' ? '' : `:${encodeURIComponent(mysql.password)}`;
    const platform = createAdminPool(
      `mysql://${mysql.user}${password}@${mysql.host}:${mysql.port}/${platformDb.name}`,
      { connectionsMax: 4 },
    );
    const harness = new WorkerHarness(mysql, redisUrl, platformDb, platform, createId('srv'));
    await harness.#prepare();
    return harness;
  }

  /** Creates a harness and starts its first worker. */
  static async start(mysql: TestMysql): Promise<WorkerHarness> {
    const harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
    return harness;
  }

  async #prepare(): Promise<void> {
    const { CELL_MIGRATIONS: migrations } = (await import(CELL_MIGRATIONS)) as {
      CELL_MIGRATIONS: readonly (new () => CellMigration)[];
    };
    const query = (sql: string, values?: readonly string[]): Promise<unknown> =>
      sql.startsWith('SHOW ') ? this.platform.rows(sql, values) : this.platform.run(sql, values);
    for (const Migration of migrations) await new Migration().up({ query });
    await this.#insertServer(this.serverId, 'test', this.mysql);
    await this.platform.run('INSERT INTO change_log_head (cell_id, last_seq) VALUES (?, 0)', [this.cellId]);
    this.#notify = createJobNotificationProducer({
      redisUrl: this.redisUrl,
      cellId: this.cellId,
      logger: createLogger('test', 'silent'),
    });
  }

  /** Adds a server to the cell. `close` drops its accounts. Returns its id. */
  async addServer(mysql: TestMysql): Promise<string> {
    const id = createId('srv');
    await this.#insertServer(id, id, mysql);
    return id;
  }

  async #insertServer(id: string, name: string, mysql: TestMysql): Promise<void> {
    const provisioner = await this.#makeServerAccount(mysql, PROVISIONER_GRANTS);
    const observer = await this.#makeServerAccount(mysql, OBSERVER_GRANTS);
    await this.platform.run(
      `INSERT INTO server (id, cell_id, name, host, port, public_host, public_port, provisioner_sealed, observer_sealed, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))`,
      [id, this.cellId, name, mysql.host, mysql.port, mysql.host, mysql.port, provisioner, observer],
    );
  }

  /** Creates the accounts as the launcher does, under names for this cell. */
  async #makeServerAccount(mysql: TestMysql, grants: (account: string) => string[]): Promise<Buffer> {
    const user = makeUniqueName('s', 20);
    if (mysql === this.mysql) this.#serverAccounts.push(user);
    const account = `'${user}'@'%'`;
    const root = await this.openRoot(undefined, mysql);
    await root.run(`CREATE USER ${account} IDENTIFIED BY '${user}'`);
    for (const grant of grants(account)) await root.run(grant);
    const special =
      mysql.engine === 'mariadb'
        ? 'CONNECTION ADMIN, SET USER'
        : 'CONNECTION_ADMIN, SERVICE_CONNECTION_ADMIN, SET_ANY_DEFINER, ALLOW_NONEXISTENT_DEFINER, XA_RECOVER_ADMIN';
    await root.run(`GRANT ${special} ON *.* TO ${account}`);
    await root.close();
    return sealToPublicKey(this.#envelope.publicKey, JSON.stringify({ user, password: user }));
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.#notify?.close();
    const accounts = await this.platform.rows<{ user_name: string }>(
      'SELECT user_name FROM database_account UNION SELECT user_name FROM connection_user',
    );
    await this.platform.close();
    const root = await this.openRoot();
    // If a failed test has left a session open, it must not delay the cleanup.
    await root.run('SET SESSION lock_wait_timeout = 2');
    for (const schema of this.#schemas)
      for (const name of [schema, `${schema}s`]) await root.run(`DROP DATABASE IF EXISTS \`${name}\``);
    for (const user of [...this.#serverAccounts, ...accounts.map((row) => row.user_name)])
      await root.run(`DROP USER IF EXISTS '${user}'@'%'`);
    await root.close();
    await this.platformDb.drop();
  }

  openRoot(
    database?: string,
    { host, port, user, password }: TestMysql = this.mysql,
  ): Promise<AdminConnection> {
    return openAdminConnection({ host, port, user, password, database });
  }

  /** Resolves when the worker reports that it is ready. */
  async startWorker(env: Record<string, string> = {}): Promise<TestWorker> {
    const password = this.mysql.password === '' ? '' : `:${encodeURIComponent(this.mysql.password)}`;
    const worker = new TestWorker({
      PATH: process.env['PATH'] ?? '',
      ROWHOUSE_ENV: 'test',
      ROWHOUSE_CELL: this.cellId,
      PLATFORM_CELL_URL: `mysql://${this.mysql.user}${password}@${this.mysql.host}:${this.mysql.port}/${this.platformDb.name}`,
      REDIS_URL: this.redisUrl,
      ROWHOUSE_MASTER_KEY: this.masterKey.toString('base64url'),
      ROWHOUSE_SERVER_PRIVATE_KEY: this.#envelope.privateKey,
      ...env,
    });
    this.#workers.add(worker);
    await worker.ready;
    return worker;
  }

  async insertDatabase(
    environment = 'development',
    projectId = createId('prj'),
    serverId = this.serverId,
  ): Promise<TestDb> {
    const id = createId('db');
    const schemaName = `p${randomBase32(15)}`;
    this.#schemas.push(schemaName);
    await this.platform.run(
      `INSERT INTO tenant_database (id, cell_id, project_id, project_name, environment, schema_name, slot, server_id, docs_slug, settings, created_at)
       VALUES (?, ?, ?, 'Test', ?, ?, 1, ?, ?, '{}', UTC_TIMESTAMP(3))`,
      [id, this.cellId, projectId, environment, schemaName, serverId, randomBase32(26)],
    );
    return { id, schemaName, projectId };
  }

  async provision(environment?: string, projectId?: string, serverId?: string): Promise<TestDb> {
    const database = await this.insertDatabase(environment, projectId, serverId);
    await this.runTask('provision_database', { database_id: database.id });
    return database;
  }

  async insertTask<K extends TaskKind>(kind: K, payload: TaskPayload<K>): Promise<string> {
    const id = createId('tsk');
    const databaseId = 'database_id' in payload ? payload.database_id : null;
    await this.platform.run(
      `INSERT INTO task (id, cell_id, kind, database_id, state, payload, created_at, run_after) VALUES (?, ?, ?, ?, 'queued', ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))`,
      [id, this.cellId, kind, databaseId, JSON.stringify(payload)],
    );
    await this.#notify?.notify({ kind: 'task', id, attempt: 0 });
    return id;
  }

  /** Expires every lease, so that a test does not wait for a dead worker's leases. */
  async expireLeases(): Promise<void> {
    for (const table of ['task', 'migration', 'database_move']) {
      await this.platform.run(
        `UPDATE ${table} SET lease_expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE cell_id = ? AND lease_expires_at IS NOT NULL`,
        [this.cellId],
      );
    }
  }

  async readDatabase(
    databaseId: string,
  ): Promise<{ schema_name: string; provision_state: string; snapshot_number: number }> {
    const [row] = await this.platform.rows<{
      schema_name: string;
      provision_state: string;
      snapshot_number: number;
    }>('SELECT schema_name, provision_state, snapshot_number FROM tenant_database WHERE id = ?', [
      databaseId,
    ]);
    if (row === undefined) throw new Error(`no database ${databaseId}`);
    return row;
  }

  async listScratch(): Promise<string[]> {
    const root = await this.openRoot();
    const rows = await root.rows<{ name: string }>(
      `SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME REGEXP '^x[a-z2-7]{20}$'`,
    );
    await root.close();
    return rows.map((row) => row.name);
  }

  /** Runs a task and returns its result. Throws an error whose `code` is that of the task. */
  async runTask<K extends TaskKind>(kind: K, payload: TaskPayload<K>): Promise<TaskResult<K>> {
    return this.waitTask<K>(await this.insertTask(kind, payload));
  }

  async waitTask<K extends TaskKind>(id: string): Promise<TaskResult<K>> {
    const row = await this.poll(async () => {
      const [found] = await this.platform.rows<{ state: string; result: string | null; error: unknown }>(
        'SELECT state, result, error FROM task WHERE id = ?',
        [id],
      );
      return found?.state === 'done' || found?.state === 'failed' ? found : null;
    });
    if (row.state === 'failed') {
      const error = (typeof row.error === 'string' ? JSON.parse(row.error) : row.error) as {
        code: string;
        detail: string;
      };
      throw Object.assign(new Error(`${error.code}: ${error.detail}`), error);
    }
    return JSON.parse(row.result ?? '{}') as TaskResult<K>;
  }

  /**
   * Queues a deploy as the control plane does: creates a plan, stores the revision, and queues the
   * migrations.
   */
  async queueDeploy(
    projectId: string,
    databaseIds: readonly string[],
    sql: string,
    mode: 'apply' | 'replace' = 'apply',
  ): Promise<{ ids: string[]; plans: readonly MigrationPlan[]; notes: readonly string[] }> {
    const { draft, plans, notes } = await this.#plan(projectId, databaseIds, sql, mode);
    return { ids: await this.#store(projectId, draft, plans, sql, 'queued', mode), plans, notes };
  }

  async #plan(
    projectId: string,
    databaseIds: readonly string[],
    sql: string,
    mode: 'apply' | 'replace',
  ): Promise<TaskResult<'plan_schema'>> {
    const newest = await this.#readNewest(projectId);
    const base = newest === null ? null : (JSON.parse(newest.snapshot) as Snapshot);
    return this.runTask('plan_schema', {
      project_id: projectId,
      base,
      mode,
      sql,
      target_database_ids: databaseIds,
    });
  }

  async #readNewest(projectId: string): Promise<{ revision: number; snapshot: string } | null> {
    const [newest] = await this.platform.rows<{ revision: number; snapshot: string }>(
      'SELECT revision, snapshot FROM working_schema WHERE project_id = ? ORDER BY revision DESC LIMIT 1',
      [projectId],
    );
    return newest ?? null;
  }

  /** Plans a deploy. Its migrations stay drafts until `queueHeld` is called. */
  async holdDeploy(
    projectId: string,
    databaseIds: readonly string[],
    sql: string,
  ): Promise<{ ids: string[]; plans: readonly MigrationPlan[] }> {
    const { draft, plans } = await this.#plan(projectId, databaseIds, sql, 'apply');
    return { ids: await this.#store(projectId, draft, plans, sql, 'draft'), plans };
  }

  async queueHeld(migrationId: string): Promise<void> {
    await this.platform.run(`UPDATE migration SET state = 'queued' WHERE id = ? AND state = 'draft'`, [
      migrationId,
    ]);
  }

  async #store(
    projectId: string,
    draft: Snapshot,
    plans: readonly MigrationPlan[],
    sql: string,
    state = 'queued',
    mode = 'apply',
  ): Promise<string[]> {
    const revision = ((await this.#readNewest(projectId))?.revision ?? 0) + 1;
    await this.platform.run(
      `INSERT INTO working_schema (project_id, revision, cell_id, snapshot, statements, mode, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, 'acc_test', UTC_TIMESTAMP(3))`,
      [projectId, revision, this.cellId, JSON.stringify(draft), sql, mode],
    );
    const ids: string[] = [];
    for (const plan of plans) {
      const id = createId('mig');
      await this.platform.run(
        `INSERT INTO migration (id, cell_id, project_id, database_id, server_id, revision, state, base_number, plan, plan_hash, target_hash, created_by, created_at)
         VALUES (?, ?, ?, ?, (SELECT server_id FROM tenant_database d WHERE d.id = ?), ?, ?, ?, ?, ?, ?, 'acc_test', UTC_TIMESTAMP(3))`,
        [
          id,
          this.cellId,
          projectId,
          plan.database,
          plan.database,
          revision,
          state,
          plan.baseSnapshot,
          JSON.stringify(plan),
          plan.hash,
          plan.targetHash,
        ],
      );
      if (state === 'queued') await this.#notify?.notify({ kind: 'migration', id, attempt: 0 });
      ids.push(id);
    }
    return ids;
  }

  /** Plans the revert of a migration, queues it and waits for its end. */
  async revert(
    database: { id: string; projectId: string },
    migrationId: string,
  ): Promise<{ row: MigrationRow; plan: MigrationPlan }> {
    const { plan } = await this.runTask('plan_revert', {
      database_id: database.id,
      migration_id: migrationId,
    });
    const id = createId('mig');
    await this.platform.run(
      `INSERT INTO migration (id, cell_id, project_id, database_id, server_id, revision, state, base_number, plan, plan_hash, target_hash, origin, reverts_id, created_by, created_at)
       VALUES (?, ?, ?, ?, ?, 0, 'queued', ?, ?, ?, ?, 'revert', ?, 'acc_test', UTC_TIMESTAMP(3))`,
      [
        id,
        this.cellId,
        database.projectId,
        database.id,
        this.serverId,
        plan.baseSnapshot,
        JSON.stringify(plan),
        plan.hash,
        plan.targetHash,
        migrationId,
      ],
    );
    await this.#notify?.notify({ kind: 'migration', id, attempt: 0 });
    return { row: await this.waitMigration(id), plan };
  }

  async stopWorkers(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
    this.#workers.clear();
  }

  fingerprint(snapshot: Snapshot): string {
    return createHash('sha256').update(structureText(snapshot)).digest('hex');
  }

  /** Stops all workers, runs `callback`, and starts a worker again. */
  async withoutWorker<T>(callback: () => Promise<T>): Promise<T> {
    await this.stopWorkers();
    const result = await callback();
    await this.startWorker();
    return result;
  }

  /** Queues a deploy whose plan was created earlier, so that no worker has to run. */
  async queueStored(database: { id: string; projectId: string }, sql: string): Promise<{ ids: string[] }> {
    const worker = await this.startWorker();
    const { draft, plans } = await this.#plan(database.projectId, [database.id], sql, 'apply');
    await worker.stop();
    return { ids: await this.#store(database.projectId, draft, plans, sql) };
  }

  async deploy(
    database: { id: string; projectId: string },
    sql: string,
    mode: 'apply' | 'replace' = 'apply',
  ): Promise<{ row: MigrationRow; plan: MigrationPlan }> {
    const { ids, plans } = await this.queueDeploy(database.projectId, [database.id], sql, mode);
    return { row: await this.waitMigration(ids[0] as string), plan: plans[0] as MigrationPlan };
  }

  /** Creates a database with these tables. */
  async make(sql: string): Promise<TestDb> {
    const database = await this.provision();
    const { row } = await this.deploy(database, sql);
    if (row.state !== 'published') throw new Error(`the tables were not made: ${JSON.stringify(row)}`);
    return database;
  }

  async withRoot<T>(database: TestDb, callback: (root: AdminConnection) => Promise<T>): Promise<T> {
    const root = await this.openRoot(database.schemaName);
    try {
      return await callback(root);
    } finally {
      await root.close();
    }
  }

  check<T>(database: TestDb, sql: string): Promise<T[]> {
    return this.withRoot(database, (root) => root.rows<T>(sql));
  }

  /** Inserts rows. `select` is a SELECT that creates one row from the number `i`. */
  fill(database: TestDb, insert: string, select: string, rows: number): Promise<unknown> {
    const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100), m (i) AS (SELECT a.i + 100 * (b.i - 1) FROM n a JOIN n b ON b.i <= ${Math.ceil(rows / 100)})`;
    return this.withRoot(database, (root) =>
      root.run(`${insert} ${numbers} SELECT ${select} FROM m WHERE i <= ${rows}`),
    );
  }

  /** Lists objects that a change must not leave behind. */
  async listLeftovers(database: TestDb): Promise<string[]> {
    const rows = await this.check<{ name: string }>(
      database,
      `SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE '\\_rh\\_%'
       UNION ALL SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() AND TRIGGER_NAME LIKE '\\_rh\\_%'
       UNION ALL SELECT CONSTRAINT_NAME FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA = DATABASE() AND CONSTRAINT_NAME LIKE '\\_rh\\_%'`,
    );
    return rows.map((row) => row.name);
  }

  waitMigration(id: string, deadlineMs = 40_000): Promise<MigrationRow> {
    return this.poll(async () => {
      const row = await this.readMigration(id);
      // Only the workers' logs contain the cause of `internal.defect`, so the test prints them.
      if (row.error?.code === 'internal.defect')
        throw new Error(
          [...this.#workers]
            .map((worker) =>
              worker.output
                .split('\n')
                .filter((line) => line.includes('"err"'))
                .join('\n'),
            )
            .join('\n--\n'),
        );
      return (MIGRATION_END_STATES as readonly string[]).includes(row.state) ? row : null;
    }, deadlineMs);
  }

  async readMigration(id: string): Promise<MigrationRow> {
    const [row] = await this.platform.rows<MigrationRow>(
      'SELECT id, state, error, attempt, published_number, ddl_done_at FROM migration WHERE id = ?',
      [id],
    );
    if (row === undefined) throw new Error(`no migration ${id}`);
    return {
      ...row,
      error: typeof row.error === 'string' ? (JSON.parse(row.error) as MigrationRow['error']) : row.error,
    };
  }

  /** Returns the published snapshot with its number and origin. */
  async readSnapshot(databaseId: string): Promise<{ number: number; snapshot: Snapshot; origin: string }> {
    const [row] = await this.platform.rows<{
      number: number;
      content_hash: string;
      origin: string;
      body: Buffer;
    }>(
      `SELECT s.number, s.content_hash, s.origin, c.body FROM tenant_database d JOIN snapshot s ON s.database_id = d.id AND s.number = d.snapshot_number
       JOIN snapshot_content c ON c.content_hash = s.content_hash WHERE d.id = ?`,
      [databaseId],
    );
    if (row === undefined) throw new Error(`${databaseId} has no snapshot`);
    return {
      number: Number(row.number),
      snapshot: await decodeSnapshot(row.body, row.content_hash),
      origin: row.origin,
    };
  }

  /** Returns the platform's account of a kind with its password. */
  async readAccount(
    databaseId: string,
    kind: string,
    rightsHash = '',
  ): Promise<{ user: string; password: string }> {
    const [row] = await this.platform.rows<{ user_name: string; secret_sealed: Buffer }>(
      'SELECT user_name, secret_sealed FROM database_account WHERE database_id = ? AND kind = ? AND rights_hash = ?',
      [databaseId, kind, rightsHash],
    );
    if (row === undefined) throw new Error(`no ${kind} account`);
    return {
      user: row.user_name,
      password: this.box.open(row.secret_sealed, `account:${databaseId}:${kind}:${rightsHash}`),
    };
  }

  async openAs(
    databaseId: string,
    schemaName: string,
    kind: string,
    rightsHash = '',
  ): Promise<AdminConnection> {
    const { user, password } = await this.readAccount(databaseId, kind, rightsHash);
    // Workers unlock the migrator account only while they open a session, so a worker may lock it again
    // before this login.
    for (let attempts = 0; kind === 'migrator' && attempts < 20; attempts += 1) {
      const root = await this.openRoot();
      await root.run(`ALTER USER '${user}'@'%' ACCOUNT UNLOCK`);
      await root.close();
      const opened = await openAdminConnection({
        host: this.mysql.host,
        port: this.mysql.port,
        user,
        password,
        database: schemaName,
      }).catch(() => null);
      if (opened !== null) return opened;
    }
    return openAdminConnection({
      host: this.mysql.host,
      port: this.mysql.port,
      user,
      password,
      database: schemaName,
    });
  }

  /** The account that creates schemas and accounts. Its password equals its name. */
  readonly provisioner = (): { readonly user: string } => ({ user: this.#serverAccounts[0] ?? '' });

  async poll<T>(check: () => Promise<T | null>, deadlineMs = 40_000): Promise<T> {
    const endsAt = performance.now() + deadlineMs;
    for (;;) {
      const found = await check();
      if (found !== null) return found;
      if (performance.now() > endsAt)
        throw new Error(
          `nothing after ${deadlineMs} ms; workers say:\n${[...this.#workers].map((worker) => worker.output.slice(-3_000)).join('\n--\n')}`,
        );
      await pause(20);
    }
  }
}
