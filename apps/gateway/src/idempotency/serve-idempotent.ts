import { createHash } from 'node:crypto';
import { AppError } from '@rowhouse/errors';
import { DatabaseFault, runStatements, type RunStatement, type TenantPools } from '@rowhouse/mysql';
import type { ApiResponse, Plan } from '@rowhouse/rest-engine';
import type { CompiledSnapshot, CompiledTable } from '@rowhouse/schema-model';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import { toAppFault } from '../statements/plan-error.js';
import { CONNECTION_WAIT_MS, rowsTarget, type WriteGuard } from '../statements/run-program.js';
import type { Tenant, TenantDatabase } from '../tenant/tenant.js';
import type { FailPointName, FailPoints } from './fail-points.js';
import {
  completeRecord,
  findRecord,
  insertRecord,
  RecordTakenError,
  type FoundRecord,
  type RecordId,
} from './idempotency-table.js';
import { storeResponse, replayResponse } from './stored-response.js';
import type { IdempotencySweep } from './sweep.js';

export interface IdempotencyServices {
  readonly pools: TenantPools;
  readonly failPoints: FailPoints;
  readonly idempotencySweep: IdempotencySweep;
}

/** A write that is planned, authorized and ready to run. */
export interface IdempotentWrite {
  /** The plans of the write. */
  readonly plans: readonly Plan[];
  /**
   * Runs the plans in one transaction, between the two parts of the guard. The transaction may be repeated.
   */
  run(guard: WriteGuard): Promise<ApiResponse>;
}

export interface OnceRequest {
  readonly key: string;
  readonly compiled: CompiledSnapshot;
  /** Any table of the request, for error messages. */
  readonly table: CompiledTable;
  /** Plans the write. Only called when no response is stored. */
  prepare(): IdempotentWrite | Promise<IdempotentWrite>;
}

/**
 * Serves a write that has an `Idempotency-Key`. Its record is stored in the write's transaction, so that
 * either both exist or neither does. A replayed response is not planned again, but requires the rights of the
 * write.
 */
export async function serveIdempotent(
  services: IdempotencyServices,
  tenant: Tenant,
  gatewayRequest: GatewayRequest,
  request: OnceRequest,
): Promise<GatewayResponse> {
  const { database } = tenant;
  const { key, compiled, table } = request;
  const id: RecordId = { schemaName: database.record.schemaName, lineageId: tenant.key.lineageId, key };
  const fingerprint = fingerprintOf(gatewayRequest);
  const reach = (name: FailPointName): Promise<void> =>
    services.failPoints.reach(name, gatewayRequest.headers);
  for (let attempt = 1; ; attempt += 1) {
    const found = await findBeforeWrite(services, database, table, id);
    if (found.kind === 'stored') {
      if (!found.fingerprint.equals(fingerprint))
        throw new AppError('idempotency.mismatch', { hint: 'Use a new key for a new request.' });
      gatewayRequest.trace.plan('replay');
      return replayResponse(compiled, found.response);
    }
    const write = await request.prepare();
    gatewayRequest.trace.mark('plan');
    const guard: WriteGuard = {
      async begin(run) {
        await insertRecord(run, id, fingerprint, found.kind === 'expired');
        await reach('after_record');
      },
      async end(run, response) {
        await reach('after_write');
        await completeRecord(run, id, storeResponse(write.plans, response));
      },
    };
    await reach('before_begin');
    const response = await runUnlessTaken(write, guard);
    if (response === null && attempt === 1) continue;
    if (response === null) throw new AppError('idempotency.running', { retryAfterSeconds: 1 });
    await reach('after_commit');
    services.idempotencySweep.note(database);
    return response;
  }
}

/** Returns null when another request with the same key has inserted its record. */
async function runUnlessTaken(write: IdempotentWrite, guard: WriteGuard): Promise<ApiResponse | null> {
  try {
    return await write.run(guard);
  } catch (error) {
    if (error instanceof RecordTakenError) return null;
    throw error;
  }
}

/** Finds the record before the transaction of the write. Does not wait for a locked record. */
async function findBeforeWrite(
  services: Pick<IdempotencyServices, 'pools'>,
  database: TenantDatabase,
  table: CompiledTable,
  id: RecordId,
): Promise<FoundRecord> {
  try {
    return await runStatements(
      services.pools,
      rowsTarget(database),
      { mode: 'read', waitMs: CONNECTION_WAIT_MS },
      (run: RunStatement) => findRecord(run, id),
    );
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error;
    throw toAppFault(error, { kind: 'read', table });
  }
}

/** The headers that are part of a fingerprint. `docs/api/idempotency.md` lists them. */
const FINGERPRINT_HEADERS = ['content-type', 'prefer', 'if-match'] as const;

/**
 * Returns a 32-byte digest of everything that identifies the request. A retry must be identical, byte for
 * byte.
 */
function fingerprintOf(request: GatewayRequest): Buffer {
  const { headers } = request;
  const body = createHash('sha256')
    .update(request.body ?? '')
    .digest('base64');
  const parts = [
    request.method,
    request.rawPath,
    request.rawQuery,
    body,
    ...FINGERPRINT_HEADERS.map((name) => headers[name] ?? null),
  ];
  // If the header is missing, nothing is added, so that fingerprints stored by earlier versions still match.
  if (headers['if-none-match'] !== undefined) parts.push(headers['if-none-match']);
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
