/**
 * Owns texts and documents made from a snapshot: OpenAPI, later models in other languages.
 * Must not read requests, know HTTP frameworks or databases; the same input gives the same bytes.
 */
export { emitOpenApi } from './openapi/emit-open-api.js';
export { toColumnSchema } from './openapi/to-column-schema.js';
export type { Json, JsonObject, OpenApiOptions } from './openapi/openapi-types.js';
