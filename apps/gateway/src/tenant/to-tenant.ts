import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  accountSecretPurpose,
  type AccountRecord,
  type DatabaseRecord,
  type DatabaseSettings,
  type KeyRecord,
  type Scope,
  type ServerRecord,
} from '@rowhouse/contracts';
import type { SecretBox } from '@rowhouse/credentials';
import type { PoolAccount } from '@rowhouse/mysql';
import { canonicalJson, type Rights, type Verb } from '@rowhouse/schema-model';
import type { RightsView } from '@rowhouse/snapshot-store';
import { LIMITS } from '../limits/limits.js';
import type { TenantDatabase, TenantPlacement } from './tenant.js';

/**
 * Shares server records in memory. One server has thousands of databases, and each database record contains
 * the whole server record.
 */
interface ServerRecords {
  /** Returns the record with the shared server object, if the server records are equal. */
  share(record: DatabaseRecord): DatabaseRecord;
}

const GATEWAYS_PER_CELL_MAX = 10;

export interface ConnectionBudget {
  readonly serverConnectionsMax: number;
  /** The number of connections to each server that each gateway may open without a lease. */
  readonly serverConnectionsFloor: number;
  readonly tenantConnectionsMax: number;
  /** The number of additional connections of a tenant for writes of single records. */
  readonly tenantWritesMax: number;
}

/**
 * How long after a move's deadline its last change of the location may still be committed, in milliseconds.
 */
const MOVE_MARGIN_MS = 300;

/** Returns whether a move pauses the writes of the database. `nowMs` is by the platform database's clock. */
function areWritesPaused({ locationState, movingUntilMs }: DatabaseRecord, nowMs: number): boolean {
  return locationState === 'moving' && nowMs <= (movingUntilMs ?? 0) + MOVE_MARGIN_MS;
}

const NO_ACCOUNTS: ReadonlyMap<string, PoolAccount> = new Map();

export interface TenantParts {
  readonly secrets: SecretBox;
  readonly budget: ConnectionBudget;
  /** The current time by the platform database's clock. */
  readonly nowMs: number;
  /** Returns the tables of a live schema whose statements may change their session. */
  readonly codeTables: (databaseId: string) => readonly string[];
}

export function toTenantDatabase(
  record: DatabaseRecord,
  asOfSeq: number,
  { secrets, budget, nowMs, codeTables }: TenantParts,
): TenantDatabase {
  const { server } = record;
  const placement: TenantPlacement = {
    isPaused: areWritesPaused(record, nowMs),
    isOutdated: false,
    latest: null,
  };
  const isPaused = (): boolean => placement.isPaused;
  const toAccount = (account: AccountRecord, connectionsMax: number): PoolAccount => ({
    user: account.userName,
    password: () =>
      secrets.open(
        Buffer.from(account.secretSealed, 'base64'),
        accountSecretPurpose(record.id, account.kind, account.rightsHash),
      ),
    schema: record.schemaName,
    databaseId: record.id,
    connectionsMax,
    isPaused,
    codeTables: () => codeTables(record.id),
  });
  const rows = record.accounts.find((account) => account.kind === 'rows');
  const ofUsers = (kind: AccountRecord['kind']): ReadonlyMap<string, PoolAccount> => {
    const accounts = record.accounts.filter((account) => account.kind === kind);
    return accounts.length === 0
      ? NO_ACCOUNTS
      : new Map(
          accounts.map((account) => [account.rightsHash, toAccount(account, LIMITS.queriesPerDatabaseMax)]),
        );
  };
  return {
    record,
    placement,
    server: {
      id: server.id,
      host: server.host,
      port: server.port,
      nodes: server.nodes ?? [],
      isGalera: server.capabilities.cluster === 'galera',
      tls: server.tls,
      engine: server.engine,
      connectionsMax: Math.min(budget.serverConnectionsMax, server.connectionsMax),
      connectionsTotal: server.connectionsMax + GATEWAYS_PER_CELL_MAX * budget.serverConnectionsFloor,
    },
    rowsAccount:
      rows === undefined
        ? null
        : Object.assign(toAccount(rows, budget.tenantConnectionsMax), { writesMax: budget.tenantWritesMax }),
    queryAccounts: ofUsers('query'),
    writeAccounts: ofUsers('query_write'),
    pointer: {
      number: record.requestsPaused === true ? 0 : record.snapshotNumber,
      contentHash: record.snapshotHash,
      asOfSeq,
    },
  };
}

const VERB_SCOPES: readonly (Scope & Verb)[] = ['read', 'write', 'delete'];

/** Returns the rights of a key. Keys with equal rights have the same name, and share one compiled schema. */
export function toRightsView(key: KeyRecord, settings: DatabaseSettings): RightsView {
  const verbs = VERB_SCOPES.filter((verb) => key.scopes.includes(verb));
  return nameRights({
    tables: key.tables,
    verbs,
    hiddenColumns: settings.hidden_columns,
    numberColumns: settings.number_columns,
  });
}

/** Returns the rights of published documents: everything except hidden columns. */
export function toPublicView(settings: DatabaseSettings): RightsView {
  return nameRights({
    tables: null,
    verbs: VERB_SCOPES,
    hiddenColumns: settings.hidden_columns,
    numberColumns: settings.number_columns,
  });
}

/** Names a set of rights by its hash. Records cached by older versions have no `numberColumns`. */
function nameRights({ numberColumns, ...others }: Rights): RightsView {
  const hasNumbers = Object.values(numberColumns ?? {}).some((columns) => columns.length > 0);
  const rights: Rights = hasNumbers ? { ...others, numberColumns } : others;
  return { name: createHash('sha256').update(canonicalJson(rights)).digest('base64url'), rights };
}

export function createServerRecords(): ServerRecords {
  /** The last server record read, by id. */
  const known = new Map<string, ServerRecord>();
  return {
    share(record) {
      const server = known.get(record.server.id);
      if (server !== undefined && isDeepStrictEqual(server, record.server)) return { ...record, server };
      known.set(record.server.id, record.server);
      return record;
    },
  };
}
