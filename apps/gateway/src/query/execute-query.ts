import {
  pauseOf,
  type SchedulingServices,
  type ResponseHold,
  type ResponseMemoryBudget,
} from '@rowhouse/admission';
import type { GuardedQuery } from '@rowhouse/query-engine';
import type { Preferences } from '@rowhouse/rest-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { ClientDisconnectedError, type GatewayRequest } from '../http/gateway-request.js';
import { LIMITS } from '../limits/limits.js';
import type { Tenant } from '../tenant/tenant.js';
import { describeTable, showTables } from './describe-query.js';
import type { QueryRequest } from './query-request.js';
import { rehearseQuery, runQuery, type QueryRun, type QueryRunServices } from './run-query.js';
import { runWrite } from './run-write.js';

export interface QueryResponseServices extends QueryRunServices, SchedulingServices {
  /** The memory held by query responses until they are sent. */
  readonly responseMemory: ResponseMemoryBudget;
}

export interface QueryExecution {
  readonly gatewayRequest: GatewayRequest;
  readonly tenant: Tenant;
  readonly request: QueryRequest;
  readonly preferences: Preferences;
}

/** Runs a guarded query and collects its rows. SHOW TABLES and DESCRIBE are answered from the snapshot. */
export async function executeQuery(
  services: QueryResponseServices,
  { gatewayRequest, tenant, request, preferences }: QueryExecution,
  guarded: GuardedQuery,
  compiled: CompiledSnapshot,
): Promise<QueryRun> {
  const hold = holdUntilSent(services, gatewayRequest, tenant);
  const shared = {
    compiled,
    arrayMode: request.arrayMode,
    numbers: preferences.numbers,
    addBytes: hold.add,
    pause: pauseOf(services, tenant.database),
  } as const;
  switch (guarded.kind) {
    case 'show_tables':
      return fromSnapshot(showTables(compiled, guarded.like), request);
    case 'describe': {
      const table = compiled.findByName(guarded.table);
      return fromSnapshot(table === null ? [] : describeTable(table, guarded.column), request);
    }
    case 'insert':
    case 'update':
    case 'delete':
      return runWrite(services, tenant, guarded, { ...shared, isDryRun: request.dryRun, preferences });
    default:
      // In a dry run the server parses the statement and resolves its names, but returns no rows.
      if (request.dryRun)
        return fromSnapshot(
          [],
          request,
          await rehearseQuery(services, tenant, guarded, { compiled, groupsStrictly: false }),
        );
      return runQuery(services, tenant, guarded, {
        ...shared,
        rowsMax: request.limit ?? LIMITS.queryRowsDefault,
      });
  }
}

/**
 * Opens the memory reservation of a response. It is released when the response is sent, rejected or
 * abandoned.
 */
function holdUntilSent(
  services: Pick<QueryResponseServices, 'responseMemory'>,
  { res }: GatewayRequest,
  tenant: Tenant,
): ResponseHold {
  const hold = services.responseMemory.open(tenant.database.record.id);
  let isBound = false;
  return {
    ...hold,
    add(bytes) {
      if (res.destroyed) throw new ClientDisconnectedError();
      hold.add(bytes);
      if (isBound || !hold.isHolding()) return;
      isBound = true;
      res.once('close', hold.release);
    },
  };
}

/** Creates a result from rows of the snapshot. */
function fromSnapshot(
  rows: readonly Readonly<Record<string, string | null>>[],
  request: QueryRequest,
  elapsedMs = 0,
): QueryRun {
  const visible = rows.slice(0, request.limit ?? LIMITS.queryRowsDefault);
  const names = Object.keys(rows[0] ?? {});
  const json = JSON.stringify(
    request.arrayMode ? visible.map((row) => names.map((name) => row[name] ?? null)) : visible,
  );
  const columns = names.map((name) => ({ name, type: 'string' as const, nullable: name === 'Default' }));
  return {
    rows: { json, rowCount: visible.length, isTruncated: rows.length > visible.length, columns },
    elapsedMs,
    written: null,
  };
}
