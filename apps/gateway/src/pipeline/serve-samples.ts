import { suggestQuestionsSteps } from '@rowhouse/nl-engine';
import { runStepsInSlices } from '@rowhouse/schema-model';
import { jsonResponse, type GatewayResponse, type GatewayRequest } from './gateway-request.js';
import { compileWhole } from './compile-whole.js';
import type { Gateway } from './gateway.js';
import { onLiveSchema } from './on-live-schema.js';
import { openTenant, requireScope } from './open-tenant.js';
import { findToday } from './query/find-today.js';

/**
 * `GET /v1/-/query`: suggests plain questions that can be answered with what this key may read, as a starting
 * point.
 */
export async function serveSamples(gateway: Gateway, request: GatewayRequest): Promise<GatewayResponse> {
  const { tenant, admitted } = await openTenant(gateway, request);
  try {
    requireScope(tenant, 'query');
    const vocabulary = await gateway.words.read(tenant.database);
    return await onLiveSchema(gateway, tenant.database, tenant.view, request.trace, async ({ compiled }) => {
      await compileWhole(gateway, compiled, tenant.database);
      const lexicon = await gateway.lexicons.of(tenant, compiled, vocabulary);
      const nextSlice = (): Promise<void> => gateway.turns.turn(tenant.database.record.schemaName);
      return jsonResponse(
        200,
        {
          samples: await runStepsInSlices(
            suggestQuestionsSteps(lexicon, findToday(Date.now(), 'UTC')),
            nextSlice,
          ),
        },
        admitted.headers,
      );
    });
  } finally {
    admitted.release();
  }
}
