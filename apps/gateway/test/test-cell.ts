import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
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
import {
  createEventLog,
  createId,
  createLogger,
  createMetrics,
  randomBase32,
  Secret,
  type Registry,
} from '@rowhouse/runtime';
import { nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import { createTestDatabase, makeUniqueName, type TestDatabase, type TestMysql } from '@rowhouse/testkit';
import type { GatewayConfig } from '../src/config.js';
import { createGateway, type RunningGateway } from '../src/create-gateway.js';
import { startGatewayProcess, type GatewayProcess } from './gateway-process.js';
import { createHttpServer, type HttpServer } from '../src/create-http.js';

// The control plane owns the platform's tables, and its built migrations are imported as data.
const CELL_MIGRATIONS = new URL('../../control-plane/dist/platform-db/cell-migrations.js', import.meta.url)
  .href;
const BLOG = new URL('../../control-plane/src/starters/blog.sql', import.meta.url);

export interface TestTenant {
  readonly databaseId: string;
  readonly schemaName: string;
  readonly docsSlug: string;
  /** A key with all scopes of a new key. */
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

export interface GatewayOptions {
  /** `test` by default. */
  readonly environment?: GatewayConfig['environment'];
  readonly redisUrl?: string;
  /** Another port of the platform database. */
  readonly platformPort?: number;
  readonly logLevel?: GatewayConfig['logLevel'];
  readonly trustedProxies?: readonly string[];
  readonly serverConnectionsMax?: number;
  readonly serverConnectionsFloor?: number;
  readonly tenantConnectionsMax?: number;
  readonly languageModel?: GatewayConfig['languageModel'];
  /** Whether projects' own models may be on private addresses. True by default. */
  readonly allowsPrivateModels?: boolean;
  readonly answersReadBy?: GatewayConfig['answersReadBy'];
  readonly writesTogether?: boolean;
  /** The rate limit for each address. Unlimited by default. */
  readonly addressRate?: number;
  /** The limit of open connections for each address. Unlimited by default. */
  readonly addressConnections?: number;
  /** The product's default by default. */
  readonly rowsExaminedMax?: number;
}

export interface TestGateway {
  readonly url: string;
  readonly running: RunningGateway;
  /** Returns the sum of a metric over its labels. */
  metric(name: string): Promise<number>;
  /** Returns the log lines of all requests so far, if the log level includes them. */
  events(): readonly string[];
  readonly metrics: Registry;
  stop(): Promise<void>;
}

/**
 * A separate cell for one test file: platform tables, a server, and everything that a worker and a control
 * plane would write.
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
      const config: GatewayConfig = {
        cellId,
        platformUrl: new Secret(
          options.platformPort === undefined
            ? url
            : url.replace(`:${engine.port}/`, `:${options.platformPort}/`),
        ),
        redisUrl: new Secret(options.redisUrl ?? redisUrl),
        masterKey: new Secret(masterKey.toString('base64url')),
        previousMasterKeys: [],
        pepper: new Secret(pepper.toString('base64url')),
        host: '127.0.0.1',
        port: 0,
        metricsHost: '127.0.0.1',
        metricsPort: 0,
        trustedProxies: options.trustedProxies ?? [],
        publicUrl: 'http://127.0.0.1:4100',
        consoleUrl: 'https://console.example.org',
        gatewayId: undefined,
        drain: { noticeMs: 1, inFlightMs: 500 },
        serverConnectionsMax: options.serverConnectionsMax ?? 10,
        serverConnectionsFloor: options.serverConnectionsFloor ?? 4,
        tenantConnectionsMax: options.tenantConnectionsMax ?? 4,
        tenantWritesMax: 10,
        answersReadBy: options.answersReadBy ?? 'wire',
        writesTogether: options.writesTogether ?? true,
        rowsExaminedMax: options.rowsExaminedMax ?? 10_000_000,
        addressRate: options.addressRate ?? 0,
        addressConnections: options.addressConnections ?? 0,
        logLevel: options.logLevel ?? 'silent',
        environment: options.environment ?? 'test',
        languageModel: options.languageModel ?? null,
        models: {
          timeoutMs: 20_000,
          tokensPerDay: 1_000_000_000,
          allowsPrivate: options.allowsPrivateModels ?? true,
        },
        parentPid: undefined,
      };
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

async function startGateway(config: GatewayConfig): Promise<TestGateway> {
  const registry = createMetrics('gateway');
  const lines: string[] = [];
  const events = createEventLog({
    service: 'gateway',
    level: config.logLevel,
    output: (bytes) => lines.push(bytes.toString()) && bytes.length,
  });
  const running = await createGateway(config, createLogger('gateway', config.logLevel), registry, events);
  const http: HttpServer = await createHttpServer(running.gateway, running.observe, config, registry);
  const port = await http.listen(0, '127.0.0.1');
  let stopping: Promise<void> | null = null;
  return {
    url: `http://127.0.0.1:${port}`,
    running,
    events() {
      events.flush();
      return lines
        .join('')
        .split('\n')
        .filter((line) => line !== '');
    },
    async metric(name) {
      const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
      return values.reduce((sum, { value }) => sum + value, 0);
    },
    metrics: registry,
    stop: () => (stopping ??= http.close({ noticeMs: 0, inFlightMs: 500 }).then(() => running.stop())),
  };
}

interface CellMigration {
  up(runner: { query(sql: string, values?: readonly string[]): Promise<unknown> }): Promise<void>;
}

/** Creates the platform's tables with their migrations. */
async function createTables(pool: AdminPool): Promise<void> {
  const { CELL_MIGRATIONS: migrations } = (await import(CELL_MIGRATIONS)) as {
    CELL_MIGRATIONS: readonly (new () => CellMigration)[];
  };
  const query = (sql: string, values?: readonly string[]): Promise<unknown> =>
    sql.startsWith('SHOW ') ? pool.rows(sql, values) : pool.run(sql, values);
  for (const Migration of migrations) await new Migration().up({ query });
}

async function readStatements(file: URL): Promise<string[]> {
  const text = (await readFile(file, 'utf8')).replace(/^--.*$/gm, '');
  return text
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

function toJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
