import type { Column } from '@rowhouse/schema-model';
import type { JsonObject } from './openapi-types.js';

export function toColumnSchema(_column: Column): JsonObject {
  return {};
}
