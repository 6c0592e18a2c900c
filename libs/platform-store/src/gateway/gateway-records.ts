import {
  DEFAULT_DATABASE_SETTINGS,
  type AccountRecord,
  type DatabaseRecord,
  type DatabaseSettings,
  type KeyRecord,
  type LocationState,
  type ProjectModelRecord,
  type Rate,
  type Scope,
  type ServerNode,
  type ServerRecord,
  type TableRights,
} from '@rowhouse/contracts';
import type { EngineCapabilities, EngineKind } from '@rowhouse/schema-model';
import { readJson } from '../sql-values.js';

type Row = Readonly<Record<string, unknown>>;

/**
 * Returns the capabilities that every recent version of an engine has. They are used for servers to which no
 * worker has connected yet.
 */
function baseCapabilities(engine: EngineKind, version: string): EngineCapabilities {
  return {
    engine,
    version,
    insertReturning: false,
    deleteReturning: false,
    regexFaults: engine === 'mariadb' ? 'warned' : 'raised',
    alterNowait: false,
    alterNocopy: false,
    maxStatementTimeForAll: engine === 'mariadb',
    killUser: false,
    twoPasswords: 'none',
    invisibleColumns: false,
    uuidType: false,
    vectorType: false,
    performanceSchema: false,
    rebuild: false,
    cluster: 'none',
  };
}

export function toKeyRecord(row: Row): KeyRecord {
  return {
    id: String(row['id']),
    cellId: String(row['cell_id']),
    databaseId: String(row['database_id']),
    lineageId: String(row['lineage_id']),
    scopes: readJson<readonly Scope[]>(row['scopes']) ?? [],
    tables: readJson<TableRights>(row['tables']),
    rightsHash: String(row['rights_hash']),
    origins: readJson<readonly string[]>(row['origins']),
    rate: readJson<Rate>(row['rate']),
    rowsExaminedMax:
      row['rows_examined_max'] === null || row['rows_examined_max'] === undefined
        ? null
        : Number(row['rows_examined_max']),
    expiresAtMs: toMilliseconds(row['expires_ms']),
    revokedAtMs: toMilliseconds(row['revoked_ms']),
  };
}

/**
 * Converts a row to a database record.
 * @param row a row of tenant_database, joined with its server and the language model of its project, whose
 * columns have the prefixes `server_` and `model_`
 */
export function toDatabaseRecord(row: Row, accounts: readonly AccountRecord[]): DatabaseRecord {
  return {
    id: String(row['id']),
    cellId: String(row['cell_id']),
    projectId: String(row['project_id']),
    projectName: String(row['project_name']),
    accountId: (row['account_id'] as string | null | undefined) ?? null,
    environment: String(row['environment']),
    schemaName: String(row['schema_name']),
    generation: Number(row['generation']),
    locationState: row['location_state'] as LocationState,
    movingUntilMs: toMilliseconds(row['moving_until_ms']),
    requestsPaused: row['requests_paused_until'] !== null || Number(row['names_changing']) === 1,
    docsSlug: String(row['docs_slug']),
    settings: { ...DEFAULT_DATABASE_SETTINGS, ...readJson<Partial<DatabaseSettings>>(row['settings']) },
    snapshotNumber: Number(row['snapshot_number']),
    snapshotHash: String(row['snapshot_hash']),
    isStorageFull: Number(row['storage_full']) === 1,
    version: Number(row['version']),
    server: toServerRecord(row),
    accounts,
    languageModel: toModelRecord(row),
  };
}

function toModelRecord(row: Row): ProjectModelRecord | null {
  const baseUrl = row['model_base_url'] as string | null | undefined;
  if (baseUrl === null || baseUrl === undefined) return null;
  const sealed = row['model_key_sealed'] as Buffer | null;
  return {
    baseUrl,
    model: String(row['model_name']),
    keySealed: sealed?.toString('base64') ?? null,
    version: Number(row['model_version']),
  };
}

function toServerRecord(row: Row): ServerRecord {
  const engine: EngineKind = row['server_engine'] === 'mysql' ? 'mysql' : 'mariadb';
  return {
    id: String(row['server_id']),
    host: String(row['server_host']),
    port: Number(row['server_port']),
    nodes: readJson<readonly ServerNode[]>(row['server_nodes']) ?? [],
    tls: row['server_tls'] === 'required' ? 'required' : 'off',
    engine,
    // If an older version of Rowhouse detected the capabilities of a server, newer ones are missing and get
    // their basic values.
    capabilities: {
      ...baseCapabilities(engine, String(row['server_engine_version'])),
      ...readJson<Partial<EngineCapabilities>>(row['server_capabilities']),
    },
    connectionsMax: Number(row['server_connections_max']),
  };
}

export function toAccountRecord(row: Row): AccountRecord {
  return {
    kind: row['kind'] as AccountRecord['kind'],
    rightsHash: String(row['rights_hash']),
    userName: String(row['user_name']),
    secretSealed: (row['secret_sealed'] as Buffer).toString('base64'),
  };
}

function toMilliseconds(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}
