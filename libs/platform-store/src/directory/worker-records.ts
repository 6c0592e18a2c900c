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

/** A server with its sealed credentials, as the worker reads it. */
export interface WorkerServer {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  /**
   * The port for logins of workers, which accepts them even when all sessions of the main port are in use.
   * Null if the server has none.
   */
  readonly adminPort: number | null;
  /** The other nodes of a cluster, in the order in which they are tried. */
  readonly nodes: readonly ServerNode[];
  readonly tls: 'off' | 'required';
  /** The TLS mode of direct connections to the server. */
  readonly publicTls: 'off' | 'required';
  readonly engine: EngineKind;
  readonly engineVersion: string;
  /** Null until the server has been probed. */
  readonly capabilities: EngineCapabilities | null;
  /** The maximum disk space of all databases on the server in bytes; null when unknown. */
  readonly storageBytesMax: number | null;
  /** The maximum number of connections of all gateways together. */
  readonly connectionsMax: number;
  /**
   * The maximum number of sessions of direct connections. Null means the sessions that gateways and the
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
  /** Whether the database exceeds its quota, so that connection users may not insert. */
  readonly isStorageFull: boolean;
  readonly isDeleted: boolean;
}

export interface WorkerAccount {
  readonly databaseId: string;
  readonly kind: AccountRecord['kind'];
  readonly rightsHash: string;
  readonly userName: string;
  readonly secretSealed: Buffer;
  /** The tables that a restricted query account may read, or null for all tables. */
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
  /** Whether the previous password is still valid after a rotation. */
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
