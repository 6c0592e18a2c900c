import { AppError } from '@rowhouse/errors';
import type { RouteSchema } from './types.js';

/** What a question gets where no engine answers questions: 422 `query.not_understood` with a SELECT that works here. */
export function questionRefused(schema: RouteSchema): AppError {
  const table = schema.tables[0];
  return new AppError('query.not_understood', {
    detail: 'Questions in plain language are not answered on this installation yet: send an SQL SELECT.',
    hint: table === undefined ? 'SELECT 1' : `SELECT * FROM \`${table.name.replaceAll('`', '``')}\` LIMIT 10`,
  });
}
