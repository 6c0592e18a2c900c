import type { CompiledSnapshot } from '@rowhouse/schema-model';
import type { ApiRequest, ParseOptions, RawRequest } from './api-request.js';

/** Reads a call by its syntax. Throws AppError: 400, 404, 405, 406, 422. */
export function parseRequest(_raw: RawRequest, _compiled: CompiledSnapshot, _options: ParseOptions): ApiRequest {
  throw new Error("not filled in");
}
