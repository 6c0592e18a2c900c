import { randomBytes } from 'node:crypto';
import { createSecretBox } from '@rowhouse/credentials';
import type { Models, ModelsParts } from '../src/llm/create-models.js';
import { createModels } from '../src/llm/create-models.js';
import type { Gateway } from '../src/pipeline/gateway.js';
import type { TestGateway } from './test-cell.js';

const NO_STORE = {
  append: async () => undefined,
  listAccepted: async () => [],
  addModelUse: async () => undefined,
  readModelTokens: async () => 0,
};
const NO_SHARED = { readTranslation: async () => null, writeTranslation: () => undefined };

/**
 * Replaces the model in a running gateway. The new one has no accepted questions, no cache, no usage and no
 * history.
 */
export async function replaceModels(
  gateway: TestGateway,
  settings: ModelsParts['settings'],
  timeoutMs: number,
): Promise<Models> {
  const parts = gateway.running.gateway as { -readonly [K in keyof Gateway]: Gateway[K] };
  const before = parts.models;
  parts.models = createModels({
    settings,
    limits: { timeoutMs, tokensPerDay: 10_000_000, allowsPrivate: false },
    store: NO_STORE,
    shared: NO_SHARED,
    box: createSecretBox([randomBytes(32)]),
    onFault(error) {
      throw error;
    },
  });
  await before.stop();
  return parts.models;
}
