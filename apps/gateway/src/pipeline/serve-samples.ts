import { suggestQuestionsSteps } from '@rowhouse/nl-engine';
import { doStepsInTurns } from '@rowhouse/schema-model';
import { jsonAnswer, type Answer, type Call } from './call.js';
import { compileWhole } from './compile-whole.js';
import type { Gateway } from './gateway.js';
import { onLiveSchema } from './on-live-schema.js';
import { openTenant, requireScope } from './open-tenant.js';
import { findToday } from './query/find-today.js';

/**
 * `GET /v1/-/query`: suggests plain questions that can be answered with what this key may read, as a starting
 * point.
 */
export async function serveSamples(gateway: Gateway, call: Call): Promise<Answer> {
  const { tenant, admitted } = await openTenant(gateway, call);
  try {
    requireScope(tenant, 'query');
    const words = await gateway.words.read(tenant.database);
    return await onLiveSchema(gateway, tenant.database, tenant.view, call.trace, async ({ compiled }) => {
      await compileWhole(gateway, compiled, tenant.database);
      const lexicon = await gateway.lexicons.of(tenant, compiled, words);
      const turn = (): Promise<void> => gateway.turns.turn(tenant.database.record.schemaName);
      return jsonAnswer(200, { samples: await doStepsInTurns(suggestQuestionsSteps(lexicon, findToday(Date.now(), 'UTC')), turn) }, admitted.headers);
    });
  } finally {
    admitted.release();
  }
}
