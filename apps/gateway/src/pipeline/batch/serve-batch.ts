import { authorizeBatch, parseBatchSteps, planBatchSteps, prepareDocumentsSteps, type BatchPlan, type BatchRequest, type OptionsOf } from '@rowhouse/rest-engine';
import { doStepsInTurns, type CompiledSnapshot } from '@rowhouse/schema-model';
import { API_PREFIX } from '../../limits.js';
import type { Tenant } from '../../tenant/tenant.js';
import { awaitLargeBody, type LargeBody } from '../await-large-body.js';
import type { Answer, Call } from '../call.js';
import type { Gateway } from '../gateway.js';
import { serveOnce } from '../idempotency/serve-once.js';
import { onLiveSchema } from '../on-live-schema.js';
import { checkPlace, openTenant } from '../open-tenant.js';
import { planOptions } from '../plan-options.js';
import { readJsonBody } from '../read-body.js';
import { loadStoredColumns } from '../stored-columns.js';
import { runBatch } from './run-batch.js';

/**
 * `POST /v1/-/_batch`: follows the steps of `serveRest` for several operations, which succeed or fail
 * together.
 */
export async function serveBatch(gateway: Gateway, call: Call): Promise<Answer> {
  const { tenant: first, admitted } = await openTenant(gateway, call);
  let large: LargeBody | null = null;
  try {
    checkPlace(first);
    large = await awaitLargeBody(gateway, call, first);
    const tenant = large?.tenant ?? first;
    const pause = large === null ? goOn : (): Promise<void> => gateway.turns.turn(tenant.database.record.schemaName);
    return await onLiveSchema(gateway, tenant.database, tenant.view, call.trace, async ({ compiled, number }) => {
      const body = large === null ? readJsonBody(call) : await large.read();
      const batch = await doStepsInTurns(parseBatchSteps({ rawQuery: call.rawQuery, headers: call.headers, body }, compiled, { prefix: API_PREFIX }), pause);
      for (const request of large === null ? [] : batch.operations) {
        if ('body' in request) await doStepsInTurns(prepareDocumentsSteps(request.table, request.body), pause);
      }
      call.trace.alsoRoutes(batch.routes);
      const optionsOf = await loadOptions(gateway, tenant, batch, number);
      const answer = await answerBatch(gateway, tenant, call, { batch, compiled, optionsOf, pause });
      call.trace.mark('db');
      return { ...answer, headers: { ...answer.headers, ...admitted.headers } };
    });
  } finally {
    large?.leave();
    admitted.release();
  }
}

const goOn = (): Promise<void> => Promise.resolve();

interface ParsedBatch {
  readonly batch: BatchRequest;
  readonly compiled: CompiledSnapshot;
  readonly optionsOf: OptionsOf;
  /** Awaited between two operations, which may be large. */
  readonly pause: () => Promise<void>;
}

async function answerBatch(gateway: Gateway, tenant: Tenant, call: Call, { batch, compiled, optionsOf, pause }: ParsedBatch): Promise<Answer> {
  const plan = async (): Promise<BatchPlan> => {
    call.trace.plan('batch');
    return authorizeBatch(await doStepsInTurns(planBatchSteps(batch, optionsOf), pause), tenant.view.rights, tenant.key.scopes);
  };
  const [first] = batch.operations;
  if (batch.idempotencyKey !== null && first !== undefined) {
    return serveOnce(gateway, tenant, call, {
      key: batch.idempotencyKey, compiled, table: first.table,
      async prepare() {
        const planned = await plan();
        return { plans: planned.items.map((item) => item.plan), run: (guard) => runBatch(gateway, tenant, planned, optionsOf, guard) };
      },
    });
  }
  const planned = await plan();
  call.trace.mark('plan');
  return runBatch(gateway, tenant, planned, optionsOf, null);
}

/** Loads the plan options of each operation. The tags in its `If-Match` may come from other snapshots. */
async function loadOptions(gateway: Gateway, { database }: Tenant, batch: BatchRequest, number: number): Promise<OptionsOf> {
  const loaded = await Promise.all(batch.operations.map(async (request) => [request, planOptions(gateway, database, await loadStoredColumns(gateway, database, request, number))] as const));
  const options = new Map(loaded);
  return (request) => options.get(request) ?? planOptions(gateway, database, () => null);
}
