import type { KeyObject } from 'node:crypto';
import { pauseOf } from '@rowhouse/admission';
import { API_PREFIX } from '@rowhouse/contracts';
import {
  authorizeBatch,
  parseBatchSteps,
  planBatchSteps,
  prepareDocumentsSteps,
  type BatchPlan,
  type BatchRequest,
  type JsonValue,
  type OptionsOf,
} from '@rowhouse/rest-engine';
import { runStepsInSlices, type CompiledSnapshot } from '@rowhouse/schema-model';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import { serveIdempotent, type IdempotencyServices } from '../idempotency/serve-idempotent.js';
import { awaitLargeBody, type LargeBody, type LargeBodyServices } from '../limits/await-large-body.js';
import { isLargeBody } from '../limits/large-bodies.js';
import { planOptions } from '../rest/plan-options.js';
import { readJsonBody } from '../rest/read-body.js';
import { onLiveSchema, type LiveSchemaServices } from '../schema/on-live-schema.js';
import { loadStoredColumns } from '../schema/stored-columns.js';
import { assertPlacementReady, openTenant, type RequestServices } from '../tenant/open-tenant.js';
import type { Tenant } from '../tenant/tenant.js';
import { runBatch, type BatchRunServices } from './run-batch.js';

export interface BatchServices
  extends RequestServices, LargeBodyServices, LiveSchemaServices, IdempotencyServices, BatchRunServices {
  readonly cursorKey: KeyObject;
}

/**
 * `POST /v1/-/_batch`: runs several operations in one transaction. It has the same stages as `serveRest`.
 */
export async function serveBatch(
  services: BatchServices,
  gatewayRequest: GatewayRequest,
): Promise<GatewayResponse> {
  const { tenant: first, admitted } = await openTenant(services, gatewayRequest);
  let large: LargeBody | null = null;
  try {
    assertPlacementReady(first);
    large = await awaitLargeBody(services, gatewayRequest, first);
    return await respondBatch(
      services,
      large?.tenant ?? first,
      gatewayRequest,
      large === null ? readJsonBody : large.read,
      admitted.headers,
    );
  } finally {
    large?.leave();
    admitted.release();
  }
}

/** Responds to an admitted batch. A large one is handled in slices. `headers` are added to the response. */
export async function respondBatch(
  services: BatchServices,
  tenant: Tenant,
  gatewayRequest: GatewayRequest,
  readBody: (request: GatewayRequest) => JsonValue | undefined | Promise<JsonValue | undefined>,
  headers: GatewayResponse['headers'],
): Promise<GatewayResponse> {
  const isLarge = isLargeBody(gatewayRequest.body);
  const pause = isLarge ? pauseOf(services, tenant.database) : noPause;
  return onLiveSchema(
    services,
    tenant.database,
    tenant.view,
    gatewayRequest.trace,
    async ({ compiled, number }) => {
      const body = await readBody(gatewayRequest);
      const batch = await runStepsInSlices(
        parseBatchSteps(
          { rawQuery: gatewayRequest.rawQuery, headers: gatewayRequest.headers, body },
          compiled,
          { prefix: API_PREFIX },
        ),
        pause,
      );
      for (const request of isLarge ? batch.operations : []) {
        if ('body' in request)
          await runStepsInSlices(prepareDocumentsSteps(request.table, request.body), pause);
      }
      gatewayRequest.trace.alsoRoutes(batch.routes);
      const optionsOf = await loadOptions(services, tenant, batch, number);
      const response = await planAndRun(services, tenant, gatewayRequest, {
        batch,
        compiled,
        optionsOf,
        pause,
      });
      gatewayRequest.trace.mark('db');
      return { ...response, headers: { ...response.headers, ...headers } };
    },
  );
}

const noPause = (): Promise<void> => Promise.resolve();

interface ParsedBatch {
  readonly batch: BatchRequest;
  readonly compiled: CompiledSnapshot;
  readonly optionsOf: OptionsOf;
  /** Awaited between two operations, which may be large. */
  readonly pause: () => Promise<void>;
}

async function planAndRun(
  services: BatchServices,
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
    return serveIdempotent(services, tenant, request, {
      key: batch.idempotencyKey,
      compiled,
      table: first.table,
      async prepare() {
        const planned = await plan();
        return {
          plans: planned.items.map((item) => item.plan),
          run: (guard) => runBatch(services, tenant, planned, optionsOf, guard),
        };
      },
    });
  }
  const planned = await plan();
  request.trace.mark('plan');
  return runBatch(services, tenant, planned, optionsOf, null);
}

/** Loads the plan options of each operation, with the stored columns of the snapshots in its `If-Match`. */
async function loadOptions(
  { cursorKey, directory }: Pick<BatchServices, 'cursorKey' | 'directory'>,
  { database }: Tenant,
  batch: BatchRequest,
  number: number,
): Promise<OptionsOf> {
  const loaded = await Promise.all(
    batch.operations.map(
      async (request) =>
        [
          request,
          planOptions(cursorKey, database, await loadStoredColumns(directory, database, request, number)),
        ] as const,
    ),
  );
  const options = new Map(loaded);
  return (request) => options.get(request) ?? planOptions(cursorKey, database, () => null);
}
