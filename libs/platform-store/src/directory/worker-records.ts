import {
  DEFAULT_DATABASE_SETTINGS,
  type AccountRecord,
  type DatabaseSettings,
  type LocationState,
  type ServerNode,
  type TableRights,
} from '@rowhouse/contracts';
import type { EngineCapabilities, EngineKind } from '@rowhouse/schema-model';
import { readJson } from '../sql-values.js';

/** A server with its encrypted credentials, in the form in which a worker reads it. */
export interface WorkerServer {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  /**
   * The port on which workers can sign in even if all sessions of the regular port are in use. Null if the
   * server has none.
   */
  readonly adminPort: number | null;
  /** The other nodes of a cluster, in the order in which they are tried. */
  readonly nodes: readonly ServerNode[];
  readonly tls: 'off' | 'required';
  /** Whether direct connections to the server must use TLS. */
  readonly publicTls: 'off' | 'required';
  readonly engine: EngineKind;
  readonly engineVersion: string;
  /** The capabilities of the server. Null until a worker has connected to it. */
  readonly capabilities: EngineCapabilities | null;
  /** The maximum disk space in bytes for all databases on the server. Null if it is unknown. */
  readonly storageBytesMax: number | null;
  /** The maximum number of connections of all gateways together. */
  readonly connectionsMax: number;
  /**
   * The maximum number of sessions of direct connections. If null, it is the number that gateways and the
   * platform leave free.
   */
  readonly directConnectionsMax: number | null;
  /** Whether the server is reserved for one organization. */
  readonly isDedicated: boolean;
  readonly provisionerSealed: Buffer;
  readonly observerSealed: Buffer;
}

export interface WorkerDatabase {
  readonly id: string;
  readonly projectId: string;
  readonly environment: string;
  readonly schemaName: string;
  readonly serverId: string;
  readonly locationState: LocationState;
  /** Whether a migration has paused the requests of the database. */
  readonly requestsPaused: boolean;
  readonly provisionState: 'pending' | 'ready' | 'failed';
  readonly settings: DatabaseSettings;
  readonly snapshotNumber: number;
  readonly snapshotHash: string;
  /** Whether the database exceeds its quota, so that connection users may not insert rows. */
  readonly isStorageFull: boolean;
  readonly isDeleted: boolean;
}

export interface WorkerAccount {
  readonly databaseId: string;
  readonly kind: AccountRecord['kind'];
  readonly rightsHash: string;
  readonly userName: string;
  readonly secretSealed: Buffer;
  /** The tables that the account for restricted queries may read. Null means all tables. */
  readonly rights: TableRights | null;
}

/** An account with the schema name of its database. */
export interface AccountWithSchema extends WorkerAccount {
  readonly schemaName: string;
}

export interface WorkerConnectionUser {
  readonly id: string;
  readonly databaseId: string;
  readonly role: string;
  readonly userName: string;
  readonly isRevoked: boolean;
  readonly requiresTls: boolean;
  /** Whether the password before the last rotation is still valid. */
  readonly holdsPrevious: boolean;
}

export type Row = Readonly<Record<string, unknown>>;

export function toWorkerServer(row: Row): WorkerServer {
  return {
    id: String(row['id']),
    host: String(row['host']),
    port: Number(row['port']),
    adminPort: toCount(row['admin_port']),
    nodes: readJson<readonly ServerNode[]>(row['nodes']) ?? [],
    tls: row['tls'] === 'required' ? 'required' : 'off',
    publicTls: row['public_tls'] === 'required' ? 'required' : 'off',
    engine: row['engine'] === 'mysql' ? 'mysql' : 'mariadb',
    engineVersion: String(row['engine_version']),
    capabilities: readJson<EngineCapabilities>(row['capabilities']),
    storageBytesMax: toCount(row['storage_bytes_max']),
    connectionsMax: Number(row['connections_max']),
    directConnectionsMax: toCount(row['direct_connections_max']),
    isDedicated: typeof row['organization_id'] === 'string',
    provisionerSealed: row['provisioner_sealed'] as Buffer,
    observerSealed: row['observer_sealed'] as Buffer,
  };
}

function toCount(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

export function toWorkerDatabase(row: Row): WorkerDatabase {
  return {
    id: String(row['id']),
    projectId: String(row['project_id']),
    environment: String(row['environment']),
    schemaName: String(row['schema_name']),
    serverId: String(row['server_id']),
    locationState: row['location_state'] as LocationState,
    requestsPaused: row['requests_paused_until'] !== null || Number(row['names_changing']) === 1,
    provisionState: row['provision_state'] as WorkerDatabase['provisionState'],
    settings: { ...DEFAULT_DATABASE_SETTINGS, ...readJson<Partial<DatabaseSettings>>(row['settings']) },
    snapshotNumber: Number(row['snapshot_number']),
    snapshotHash: String(row['snapshot_hash']),
    isStorageFull: Number(row['storage_full']) === 1,
    isDeleted: row['deleted_at'] !== null,
  };
}

export function toWorkerAccount(row: Row): WorkerAccount {
  return {
    databaseId: String(row['database_id']),
    kind: row['kind'] as WorkerAccount['kind'],
    rightsHash: String(row['rights_hash']),
    userName: String(row['user_name']),
    secretSealed: row['secret_sealed'] as Buffer,
    rights: readJson<TableRights>(row['rights']),
  };
}

export function toWorkerConnectionUser(row: Row): WorkerConnectionUser {
  return {
    id: String(row['id']),
    databaseId: String(row['database_id']),
    role: String(row['role']),
    userName: String(row['user_name']),
    isRevoked: row['revoked_at'] !== null,
    requiresTls: Number(row['requires_tls'] ?? 0) === 1,
    holdsPrevious: Number(row['holds_previous'] ?? 0) === 1,
  };
}
