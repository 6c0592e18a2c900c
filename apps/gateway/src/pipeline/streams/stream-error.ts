import { AppError } from '@rowhouse/errors';
import { StaleSchemaError } from '../stale-schema-error.js';
import type { StreamOut } from './stream-out.js';

/** Converts an error about an outdated schema. Once bytes were sent, the request cannot be planned again. */
export function toStreamError(error: unknown, out: StreamOut): unknown {
  if (!(error instanceof StaleSchemaError) || !out.isOpen()) return error;
  return new AppError('db.schema_changing', { internal: `in a stream: ${error.message}`, cause: error });
}
