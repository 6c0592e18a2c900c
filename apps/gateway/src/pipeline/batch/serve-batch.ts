import {
  authorizeBatch,
  parseBatchSteps,
  planBatchSteps,
  prepareDocumentsSteps,
  type BatchPlan,
  type BatchRequest,
  type OptionsOf,
} from '@rowhouse/rest-engine';
import { runStepsInSlices, type CompiledSnapshot } from '@rowhouse/schema-model';
import { API_PREFIX } from '../../limits.js';
import type { Tenant } from '../../tenant/tenant.js';
import { awaitLargeBody, type LargeBody } from '../await-large-body.js';
import type { GatewayResponse, GatewayRequest } from '../gateway-request.js';
import type { Gateway } from '../gateway.js';
import { serveIdempotent } from '../idempotency/serve-idempotent.js';
import { onLiveSchema } from '../on-live-schema.js';
import { assertPlacementReady, openTenant } from '../open-tenant.js';
import { planOptions } from '../plan-options.js';
import { readJsonBody } from '../read-body.js';
import { loadStoredColumns } from '../stored-columns.js';
import { runBatch } from './run-batch.js';

/**
 * `POST /v1/-/_batch`: follows the steps of `serveRest` for several operations, which succeed or fail
 * together.
 */
export async function serveBatch(gateway: Gateway, gatewayRequest: GatewayRequest): Promise<GatewayResponse> {
  const { tenant: first, admitted } = await openTenant(gateway, gatewayRequest);
  let large: LargeBody | null = null;
  try {
    assertPlacementReady(first);
    large = await awaitLargeBody(gateway, gatewayRequest, first);
    const tenant = large?.tenant ?? first;
    const pause =
      large === null ? resume : (): Promise<void> => gateway.turns.turn(tenant.database.record.schemaName);
    return await onLiveSchema(
      gateway,
      tenant.database,
      tenant.view,
      gatewayRequest.trace,
      async ({ compiled, number }) => {
        const body = large === null ? readJsonBody(gatewayRequest) : await large.read();
        const batch = await runStepsInSlices(
          parseBatchSteps(
            { rawQuery: gatewayRequest.rawQuery, headers: gatewayRequest.headers, body },
            compiled,
            { prefix: API_PREFIX },
          ),
          pause,
        );
        for (const request of large === null ? [] : batch.operations) {
          if ('body' in request)
            await runStepsInSlices(prepareDocumentsSteps(request.table, request.body), pause);
        }
        gatewayRequest.trace.alsoRoutes(batch.routes);
        const optionsOf = await loadOptions(gateway, tenant, batch, number);
        const response = await respondBatch(gateway, tenant, gatewayRequest, {
          batch,
          compiled,
          optionsOf,
          pause,
        });
        gatewayRequest.trace.mark('db');
        return { ...response, headers: { ...response.headers, ...admitted.headers } };
      },
    );
  } finally {
    large?.leave();
    admitted.release();
  }
}

const resume = (): Promise<void> => Promise.resolve();

interface ParsedBatch {
  readonly batch: BatchRequest;
  readonly compiled: CompiledSnapshot;
  readonly optionsOf: OptionsOf;
  /** Awaited between two operations, which may be large. */
  readonly pause: () => Promise<void>;
}

async function respondBatch(
  gateway: Gateway,
  tenant: Tenant,
  request: GatewayRequest,
  { batch, compiled, optionsOf, pause }: ParsedBatch,
): Promise<GatewayResponse> {
  const plan = async (): Promise<BatchPlan> => {
    request.trace.plan('batch');
    return authorizeBatch(
      await runStepsInSlices(planBatchSteps(batch, optionsOf), pause),
      tenant.view.rights,
      tenant.key.scopes,
    );
  };
  const [first] = batch.operations;
  if (batch.idempotencyKey !== null && first !== undefined) {
    return serveIdempotent(gateway, tenant, request, {
      key: batch.idempotencyKey,
      compiled,
      table: first.table,
      async prepare() {
        const planned = await plan();
        return {
          plans: planned.items.map((item) => item.plan),
          run: (guard) => runBatch(gateway, tenant, planned, optionsOf, guard),
        };
      },
    });
  }
  const planned = await plan();
  request.trace.mark('plan');
  return runBatch(gateway, tenant, planned, optionsOf, null);
}

/** Loads the plan options of each operation. The tags in its `If-Match` may come from other snapshots. */
async function loadOptions(
  gateway: Gateway,
  { database }: Tenant,
  batch: BatchRequest,
  number: number,
): Promise<OptionsOf> {
  const loaded = await Promise.all(
    batch.operations.map(
      async (request) =>
        [
          request,
          planOptions(gateway, database, await loadStoredColumns(gateway, database, request, number)),
        ] as const,
    ),
  );
  const options = new Map(loaded);
  return (request) => options.get(request) ?? planOptions(gateway, database, () => null);
}
