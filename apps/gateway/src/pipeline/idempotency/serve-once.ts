import { AppError } from '@rowhouse/errors';
import { DatabaseFault, runStatements } from '@rowhouse/mysql';
import type { ApiResponse, Plan, ResultSet, StatementProgram } from '@rowhouse/rest-engine';
import { mapDatabaseError, toResponse } from '@rowhouse/rest-engine';
import type { Tenant, TenantDatabase } from '../../tenant/tenant.js';
import type { Answer, Call } from '../call.js';
import type { Gateway } from '../gateway.js';
import { CONNECTION_WAIT_MS, rowsTarget, runProgram, type WriteGuard } from '../run-program.js';
import { fingerprintOf } from './fingerprint.js';
import { completeRecord, findRecord, insertRecord, RecordTaken, type FoundRecord, type RecordId } from './idempotency-table.js';
import { keepAnswer, replayAnswer } from './kept-answer.js';

/**
 * A write under an `Idempotency-Key`: its record stands in the transaction of the write, so that either both are there
 * or neither. The plan has been authorised anew, whether it runs or is only replayed.
 */
export async function serveOnce(gateway: Gateway, tenant: Tenant, call: Call, key: string, plan: Plan, program: StatementProgram): Promise<Answer> {
  const { database } = tenant;
  const id: RecordId = { schemaName: database.record.schemaName, lineageId: tenant.key.lineageId, key };
  const fingerprint = fingerprintOf(call);
  const reach = (name: Parameters<Gateway['failPoints']['reach']>[0]): Promise<void> => gateway.failPoints.reach(name, call.headers);
  for (let attempt = 1; ; attempt += 1) {
    const found = await look(gateway, database, plan, id);
    if (found.kind === 'kept') {
      if (!found.fingerprint.equals(fingerprint)) throw new AppError('idempotency.mismatch', { hint: 'Use a new key for a new request.' });
      return replayAnswer(plan, found.answer);
    }
    let response: ApiResponse | null = null;
    const guard: WriteGuard = {
      async begin(run) {
        await insertRecord(run, id, fingerprint, found.kind === 'expired');
        await reach('after_record');
      },
      async end(run, results: readonly ResultSet[]) {
        await reach('after_write');
        response = toResponse(plan, results, gateway.digest);
        await completeRecord(run, id, keepAnswer(plan, response));
      },
    };
    try {
      await reach('before_begin');
      await runProgram(gateway, database, plan, program, guard);
    } catch (error) {
      if (error instanceof RecordTaken && attempt === 1) continue;
      throw error instanceof RecordTaken ? new AppError('idempotency.running', { retryAfterSeconds: 1 }) : error;
    }
    await reach('after_commit');
    gateway.idempotencySweep.note(database);
    if (response === null) throw new AppError('internal.defect', { internal: 'a guarded write ended without an answer' });
    return response;
  }
}

/** On its own, before the transaction: a record that is held is told from none without waiting for it. */
async function look(gateway: Gateway, database: TenantDatabase, plan: Plan, id: RecordId): Promise<FoundRecord> {
  try {
    return await runStatements(gateway.pools, rowsTarget(database), { mode: 'read', waitMs: CONNECTION_WAIT_MS }, (run) => findRecord(run, id));
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error;
    throw mapDatabaseError({ errno: error.errno, sqlState: error.sqlState, message: error.sqlMessage }, plan);
  }
}
