import { randomBytes } from 'node:crypto';
import {
  accountSecretPurpose,
  DEFAULT_DATABASE_SETTINGS,
  DEFAULT_SCOPES,
  IDEMPOTENCY_TABLE,
  IDEMPOTENCY_TABLE_BODY,
  sideSchemaName,
  VALUE_INDEX_TABLE,
  VALUE_INDEX_TABLE_BODY,
  type ChangeEntry,
  type ChangeKind,
  type DatabaseSettings,
  type Rate,
  type Scope,
  type TableRights,
} from '@rowhouse/contracts';
import {
  createMessageSigner,
  createSecretBox,
  generateApiKey,
  generatePassword,
  hashReadRights,
  hashToken,
  hashWriteRights,
  toWriteRights,
} from '@rowhouse/credentials';
import {
  createAdminPool,
  introspectSchema,
  openAdminConnection,
  probeCapabilities,
  type AdminConnection,
  type AdminPool,
} from '@rowhouse/mysql';
import { appendChange, publishSnapshot, type SnapshotToPublish } from '@rowhouse/platform-store';
import { createChangePublisher, type ChangePublisher } from '@rowhouse/queue';
import { createId, randomBase32 } from '@rowhouse/runtime';
import { nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import { createTestDatabase, makeUniqueName, type TestDatabase, type TestMysql } from '@rowhouse/testkit';
import { startGatewayProcess, type GatewayProcess } from './gateway-process.js';
import { BLOG, createTables, readStatements, toJson } from './platform-tables.js';
import { startGateway, toConfig, type GatewayOptions, type TestGateway } from './start-gateway.js';

export interface TestTenant {
  readonly databaseId: string;
  readonly schemaName: string;
  readonly docsSlug: string;
  /** A key that has all scopes which a new key gets by default. */
  readonly key: string;
}

export interface NewKey {
  readonly scopes?: readonly Scope[];
  readonly tables?: TableRights | null;
  readonly expiresAt?: string | null;
  readonly origins?: readonly string[] | null;
  readonly rate?: Rate | null;
  readonly rowsExaminedMax?: number | null;
}

/**
 * A separate cell for one test file: the platform's tables, a server, and everything that a worker and a
 * control plane would have written.
 */
export interface TestCell {
  readonly cellId: string;
  /** The key that encrypts secrets at rest. */
  readonly masterKey: Buffer;
  readonly pool: AdminPool;
  readonly platform: TestDatabase;
  readonly root: AdminConnection;
  /** Moves the server's row to another port and notifies every gateway. */
  moveServer(port: number): Promise<void>;
  addTenant(options?: {
    readonly ddl?: readonly string[];
    readonly settings?: Partial<DatabaseSettings>;
    readonly rows?: readonly string[];
    readonly accountId?: string;
  }): Promise<TestTenant>;
  addKey(tenant: TestTenant, key?: NewKey): Promise<{ readonly id: string; readonly secret: string }>;
  /** Runs DDL and publishes the resulting schema, like a worker. */
  deploy(
    tenant: TestTenant,
    ddl: readonly string[],
    options?: { readonly announce?: boolean },
  ): Promise<number>;
  /** Introspects and publishes the schema, for `migration` if one is running. */
  publish(
    tenant: TestTenant,
    announce?: boolean,
    migration?: SnapshotToPublish['migration'],
  ): Promise<number>;
  revoke(keyId: string, options?: { readonly announce?: boolean }): Promise<void>;
  change(
    databaseId: string,
    kind: ChangeKind,
    options?: { readonly announce?: boolean },
  ): Promise<ChangeEntry>;
  startGateway(options?: GatewayOptions): Promise<TestGateway>;
  /** Starts a gateway in its own process, which a test may kill. */
  startGatewayProcess(
    environment: 'test' | 'production',
    env?: Readonly<Record<string, string>>,
  ): Promise<GatewayProcess>;
  stop(): Promise<void>;
}

const VERB_GRANTS = { read: 'SELECT', write: 'INSERT, UPDATE', delete: 'DELETE' } as const;

export async function createTestCell(engine: TestMysql, redisUrl: string): Promise<TestCell> {
  const cellId = makeUniqueName('c', 12);
  const platform = await createTestDatabase(engine, 'plat');
  const url = `mysql://${engine.user}:${engine.password}@${engine.host}:${engine.port}/${platform.name}`;
  const pool = createAdminPool(url, { connectionsMax: 4 });
  await createTables(pool);
  const root = await openAdminConnection(engine);
  const masterKey = randomBytes(32);
  const pepper = randomBytes(32);
  const secrets = createSecretBox([masterKey]);
  const publisher: ChangePublisher = createChangePublisher({
    redisUrl,
    cellId,
    signer: createMessageSigner([masterKey]),
  });
  const serverId = createId('srv');
  const capabilities = await probeCapabilities(root);
  const drops: string[] = [];
  const snapshots = new Map<string, Snapshot>();
  const gateways: TestGateway[] = [];
  const processes: GatewayProcess[] = [];
  await pool.run(
    `INSERT INTO server (id, cell_id, name, host, port, public_host, public_port, engine, engine_version, capabilities, provisioner_sealed, observer_sealed, created_at)
     VALUES (?, ?, 'one', ?, ?, ?, ?, ?, ?, ?, '', '', NOW())`,
    [
      serverId,
      cellId,
      engine.host,
      engine.port,
      engine.host,
      engine.port,
      engine.engine,
      capabilities.version,
      JSON.stringify(capabilities),
    ],
  );

  async function addAccount(
    databaseId: string,
    schemaName: string,
    kind: 'rows' | 'query' | 'query_write',
    rightsHash: string,
    grants: readonly string[],
  ): Promise<void> {
    const user = `${kind[0]}${randomBase32(20)}`;
    const password = generatePassword();
    await root.run(`CREATE USER ${user}@'%' IDENTIFIED BY '${password}'`);
    drops.push(`DROP USER IF EXISTS ${user}@'%'`);
    for (const grant of grants) await root.run(`GRANT ${grant} TO ${user}@'%'`);
    // Two keys may have the same rights.
    await pool.run(
      'INSERT IGNORE INTO database_account (database_id, kind, rights_hash, cell_id, user_name, secret_sealed, created_at) VALUES (?, ?, ?, ?, ?, ?, NOW())',
      [
        databaseId,
        kind,
        rightsHash,
        cellId,
        user,
        secrets.seal(password, accountSecretPurpose(databaseId, kind, rightsHash)),
      ],
    );
    void schemaName;
  }

  async function change(
    databaseId: string,
    kind: ChangeKind,
    options: { readonly announce?: boolean } = {},
  ): Promise<ChangeEntry> {
    const entry = await pool.transaction((session) =>
      appendChange(session, { cellId, databaseId, kind, version: 0 }),
    );
    if (options.announce !== false) await publisher.announce(entry);
    return entry;
  }

  async function publish(
    tenant: TestTenant,
    announce = true,
    migration?: SnapshotToPublish['migration'],
  ): Promise<number> {
    const connection = await openAdminConnection({ ...engine, database: tenant.schemaName });
    const tables = await introspectSchema(connection, tenant.schemaName, engine.engine);
    await connection.close();
    const snapshot = nameSnapshot(
      { engine: engine.engine, tables },
      snapshots.get(tenant.databaseId) ?? null,
    );
    snapshots.set(tenant.databaseId, snapshot);
    const [row] = await pool.rows<{ snapshot_number: number }>(
      'SELECT snapshot_number FROM tenant_database WHERE id = ?',
      [tenant.databaseId],
    );
    const outcome = await publishSnapshot(pool, cellId, {
      databaseId: tenant.databaseId,
      ...(await encodeSnapshot(snapshot)),
      origin: 'migration',
      afterNumber: Number(row?.snapshot_number),
      ...(migration === undefined ? {} : { migration }),
    });
    if (outcome.kind !== 'published') throw new Error('overtaken');
    if (announce) await publisher.announce(outcome.entry);
    return outcome.number;
  }

  const cell: TestCell = {
    cellId,
    masterKey,
    pool,
    platform,
    root,
    change,
    publish,
    async moveServer(port) {
      await pool.run('UPDATE server SET port = ? WHERE id = ?', [port, serverId]);
      const rows = await pool.rows<{ id: string }>('SELECT id FROM tenant_database');
      for (const row of rows) await change(row.id, 'move');
    },
    async addTenant(options = {}) {
      const databaseId = createId('db');
      const schemaName = `p${randomBase32(16)}`;
      const docsSlug = randomBase32(24);
      const settings = JSON.stringify({ ...DEFAULT_DATABASE_SETTINGS, ...options.settings });
      await root.run(`CREATE DATABASE ${schemaName} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
      drops.push(`DROP DATABASE IF EXISTS ${schemaName}`);
      await pool.run(
        `INSERT INTO tenant_database (id, cell_id, project_id, project_name, account_id, environment, schema_name, slot, server_id, provision_state, docs_slug, settings, created_at)
         VALUES (?, ?, ?, 'Test project', ?, 'development', ?, 7, ?, 'ready', ?, ?, NOW())`,
        [
          databaseId,
          cellId,
          createId('prj'),
          options.accountId ?? null,
          schemaName,
          serverId,
          docsSlug,
          settings,
        ],
      );
      const side = sideSchemaName(schemaName);
      await root.run(`CREATE DATABASE ${side} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
      drops.push(`DROP DATABASE IF EXISTS ${side}`);
      await root.run(`CREATE TABLE ${side}.${IDEMPOTENCY_TABLE} ${IDEMPOTENCY_TABLE_BODY}`);
      await root.run(`CREATE TABLE ${side}.${VALUE_INDEX_TABLE} ${VALUE_INDEX_TABLE_BODY}`);
      const rights = 'SELECT, INSERT, UPDATE, DELETE';
      await addAccount(databaseId, schemaName, 'rows', '', [
        `${rights} ON ${schemaName}.*`,
        `${rights} ON ${side}.${IDEMPOTENCY_TABLE}`,
        `SELECT ON ${side}.${VALUE_INDEX_TABLE}`,
      ]);
      await addAccount(databaseId, schemaName, 'query', '', [`SELECT ON ${schemaName}.*`]);
      const unqualified = { databaseId, schemaName, docsSlug, key: '' };
      await cell.deploy(unqualified, [
        ...(options.ddl ?? (await readStatements(BLOG))),
        ...(options.rows ?? []),
      ]);
      return { ...unqualified, key: (await cell.addKey(unqualified)).secret };
    },
    async addKey(tenant, key = {}) {
      const id = createId('key');
      const secret = generateApiKey('development', 7);
      const rightsHash = hashReadRights(key.tables ?? null);
      if (rightsHash !== '') {
        const readable = Object.entries(key.tables ?? {}).filter(([, verbs]) => verbs.includes('read'));
        await addAccount(
          tenant.databaseId,
          tenant.schemaName,
          'query',
          rightsHash,
          readable.map(([table]) => `SELECT ON ${tenant.schemaName}.${table}`),
        );
      }
      const scopes = key.scopes ?? DEFAULT_SCOPES;
      if (scopes.includes('query:write')) {
        const grants = Object.entries(toWriteRights(scopes, key.tables ?? null)).flatMap(([table, verbs]) =>
          verbs.map((verb) => `${VERB_GRANTS[verb]} ON ${tenant.schemaName}.${table === '' ? '*' : table}`),
        );
        await addAccount(
          tenant.databaseId,
          tenant.schemaName,
          'query_write',
          hashWriteRights(scopes, key.tables ?? null),
          grants,
        );
      }
      await pool.run(
        `INSERT INTO api_key (id, cell_id, database_id, lineage_id, name, key_hash, last4, scopes, tables, rights_hash, origins, rate, rows_examined_max, created_by, created_at, expires_at)
         VALUES (?, ?, ?, ?, 'test', ?, ?, ?, ?, ?, ?, ?, ?, 'acc_test', NOW(), ?)`,
        [
          id,
          cellId,
          tenant.databaseId,
          createId('lin'),
          hashToken(pepper, secret),
          secret.slice(-4),
          JSON.stringify(scopes),
          toJson(key.tables),
          rightsHash,
          toJson(key.origins),
          toJson(key.rate),
          key.rowsExaminedMax ?? null,
          key.expiresAt ?? null,
        ],
      );
      if (rightsHash !== '' || scopes.includes('query:write')) await change(tenant.databaseId, 'account');
      return { id, secret };
    },
    async deploy(tenant, ddl, options = {}) {
      const connection = await openAdminConnection({ ...engine, database: tenant.schemaName });
      for (const statement of ddl) await connection.run(statement);
      await connection.close();
      return publish(tenant, options.announce !== false);
    },
    async revoke(keyId, options = {}) {
      const [row] = await pool.rows<{ database_id: string }>('SELECT database_id FROM api_key WHERE id = ?', [
        keyId,
      ]);
      await pool.run('UPDATE api_key SET revoked_at = UTC_TIMESTAMP(3) WHERE id = ?', [keyId]);
      await change(String(row?.database_id), 'key', options);
    },
    async startGateway(options = {}) {
      const config = toConfig(options, {
        cellId,
        platformUrl:
          options.platformPort === undefined
            ? url
            : url.replace(`:${engine.port}/`, `:${options.platformPort}/`),
        redisUrl: options.redisUrl ?? redisUrl,
        masterKey,
        pepper,
      });
      const gateway = await startGateway(config);
      gateways.push(gateway);
      return gateway;
    },
    async startGatewayProcess(environment, env = {}) {
      const gateway = await startGatewayProcess({
        ROWHOUSE_CELL: cellId,
        PLATFORM_CELL_URL: url,
        REDIS_URL: redisUrl,
        ROWHOUSE_MASTER_KEY: masterKey.toString('base64url'),
        ROWHOUSE_PEPPER: pepper.toString('base64url'),
        ROWHOUSE_ENV: environment,
        GATEWAY_SERVER_CONNECTIONS: '10',
        ...env,
      });
      processes.push(gateway);
      return gateway;
    },
    async stop() {
      await Promise.all(processes.map((gateway) => gateway.stop()));
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await publisher.close();
      for (const statement of drops.reverse()) await root.run(statement);
      await pool.close();
      await root.close();
      await platform.drop();
    },
  };
  return cell;
}
