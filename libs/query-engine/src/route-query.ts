import { AppError } from '@rowhouse/errors';
import type { QueryRoute, RouteSchema } from './types.js';

export function routeQuery(_text: string, _schema: RouteSchema): QueryRoute {
  return { kind: 'invalid', error: new AppError('query.invalid_sql') };
}
