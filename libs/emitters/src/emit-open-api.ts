import type { Snapshot } from '@rowhouse/schema-model';
import type { JsonObject, OpenApiOptions } from './openapi-types.js';

export function emitOpenApi(_snapshot: Snapshot, options: OpenApiOptions): JsonObject {
  return { openapi: '3.1.1', info: { title: options.title, version: options.version }, paths: {} };
}
