import type { Models } from '../src/llm/create-models.js';
import { createModels } from '../src/llm/create-models.js';
import type { Gateway } from '../src/pipeline/gateway.js';
import type { TestGateway } from './test-cell.js';

const NO_STORE = { append: async () => undefined, listAccepted: async () => [], addModelUse: async () => undefined, readModelTokens: async () => 0 };

/** Another model in a gateway that runs: nothing learnt, nothing cached, nothing spent, no history. */
export async function replaceModels(gateway: TestGateway, settings: Parameters<typeof createModels>[0], store: Parameters<typeof createModels>[1] = NO_STORE): Promise<Models> {
  const parts = gateway.running.gateway as { -readonly [K in keyof Gateway]: Gateway[K] };
  const before = parts.models;
  parts.models = createModels(settings, store, (error) => {
    throw error;
  });
  await before.stop();
  return parts.models;
}
