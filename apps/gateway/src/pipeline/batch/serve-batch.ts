import { authorizeBatch, parseBatch, planBatch, type BatchPlan, type BatchRequest, type OptionsOf } from '@rowhouse/rest-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { API_PREFIX } from '../../limits.js';
import type { Tenant } from '../../tenant/tenant.js';
import type { Answer, Call } from '../call.js';
import type { Gateway } from '../gateway.js';
import { serveOnce } from '../idempotency/serve-once.js';
import { onLiveSchema } from '../on-live-schema.js';
import { checkPlace, openTenant } from '../open-tenant.js';
import { planOptions } from '../plan-options.js';
import { readJsonBody } from '../read-body.js';
import { loadStoredColumns } from '../stored-columns.js';
import { runBatch } from './run-batch.js';

/** `POST /v1/-/_batch`: the line of `serveRest` for several operations that happen together or not at all. */
export async function serveBatch(gateway: Gateway, call: Call): Promise<Answer> {
  const { tenant, admitted } = await openTenant(gateway, call);
  let leave: (() => void) | null = null;
  try {
    checkPlace(tenant);
    const turn = gateway.bodies.turn(tenant.database.record.schemaName, call.body);
    if (turn !== null) leave = await turn;
    const body = readJsonBody(call);
    return await onLiveSchema(gateway, tenant.database, tenant.view, call.trace, async ({ compiled, number }) => {
      const batch = parseBatch({ rawQuery: call.rawQuery, headers: call.headers, body }, compiled, { prefix: API_PREFIX });
      call.trace.alsoRoutes(batch.routes);
      const optionsOf = await loadOptions(gateway, tenant, batch, number);
      const answer = await answerBatch(gateway, tenant, call, { batch, compiled, optionsOf });
      call.trace.mark('db');
      return { ...answer, headers: { ...answer.headers, ...admitted.headers } };
    });
  } finally {
    leave?.();
    admitted.release();
  }
}

interface ParsedBatch {
  readonly batch: BatchRequest;
  readonly compiled: CompiledSnapshot;
  readonly optionsOf: OptionsOf;
}

async function answerBatch(gateway: Gateway, tenant: Tenant, call: Call, { batch, compiled, optionsOf }: ParsedBatch): Promise<Answer> {
  const plan = (): BatchPlan => {
    call.trace.plan('batch');
    return authorizeBatch(planBatch(batch, optionsOf), tenant.view.rights, tenant.key.scopes);
  };
  const [first] = batch.operations;
  if (batch.idempotencyKey !== null && first !== undefined) {
    return serveOnce(gateway, tenant, call, {
      key: batch.idempotencyKey, compiled, table: first.table,
      prepare() {
        const planned = plan();
        return { plans: planned.items.map((item) => item.plan), run: (guard) => runBatch(gateway, tenant, planned, optionsOf, guard) };
      },
    });
  }
  const planned = plan();
  call.trace.mark('plan');
  return runBatch(gateway, tenant, planned, optionsOf, null);
}

/** The tags of each operation's `If-Match` may be of other snapshots. */
async function loadOptions(gateway: Gateway, { database }: Tenant, batch: BatchRequest, number: number): Promise<OptionsOf> {
  const loaded = await Promise.all(batch.operations.map(async (request) => [request, planOptions(gateway, database, await loadStoredColumns(gateway, database, request, number))] as const));
  const options = new Map(loaded);
  return (request) => options.get(request) ?? planOptions(gateway, database, () => null);
}
