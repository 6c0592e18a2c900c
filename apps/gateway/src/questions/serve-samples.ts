import { suggestQuestionsSteps } from '@rowhouse/nl-engine';
import { runStepsInSlices } from '@rowhouse/schema-model';
import { jsonResponse, type GatewayResponse, type GatewayRequest } from '../http/gateway-request.js';
import { compileWhole } from '../schema/compile-tables.js';
import { onLiveSchema, type LiveSchemaServices } from '../schema/on-live-schema.js';
import { openTenant, requireScope, type RequestServices } from '../tenant/open-tenant.js';
import { findToday, type VocabularyServices } from './question-context.js';

export interface SampleServices extends RequestServices, LiveSchemaServices, VocabularyServices {}

/**
 * `GET /v1/-/query`: suggests plain questions that can be answered with what this key may read, as a starting
 * point.
 */
export async function serveSamples(
  services: SampleServices,
  request: GatewayRequest,
): Promise<GatewayResponse> {
  const { tenant, admitted } = await openTenant(services, request);
  try {
    requireScope(tenant, 'query');
    const vocabulary = await services.vocabularies.read(tenant.database);
    return await onLiveSchema(services, tenant.database, tenant.view, request.trace, async ({ compiled }) => {
      await compileWhole(services, compiled, tenant.database);
      const lexicon = await services.lexicons.of(tenant, compiled, vocabulary);
      const nextSlice = (): Promise<void> => services.scheduler.nextSlice(tenant.database.record.schemaName);
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
