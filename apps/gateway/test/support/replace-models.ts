import { randomBytes } from 'node:crypto';
import { createSecretBox } from '@rowhouse/credentials';
import type { DataPlaneServices } from '../../src/http/data-plane.js';
import { createModels, type Models, type ModelsParts } from '../../src/questions/models/create-models.js';
import type { TestGateway } from './start-gateway.js';

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
  const parts = gateway.running.services as {
    -readonly [K in keyof DataPlaneServices]: DataPlaneServices[K];
  };
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
