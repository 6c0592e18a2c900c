/**
 * Generates texts and documents from a schema snapshot: OpenAPI documents, and models and clients in other
 * languages. This library must not depend on requests, HTTP frameworks or databases. For equal input, the
 * output has the same bytes.
 */
export { writeOpenApiSteps } from './openapi/write-open-api.js';
export type { GeneratedFile } from './generated-file.js';
export { emitPythonSteps } from './python/emit-python.js';
export type { PythonOptions } from './python/python-text.js';
export { emitTypeScriptSteps, type TypeScriptOptions } from './typescript/emit-typescript.js';
export type { Json, JsonObject, OpenApiOptions } from './openapi/openapi-types.js';
export { emitReferenceSteps } from './reference/emit-reference.js';
export {
  writeIndexPage,
  writeLlmsText,
  writeTablePage,
  type DocsAddresses,
} from './reference/emit-markdown.js';
export type { ApiReference } from './reference/reference-types.js';
