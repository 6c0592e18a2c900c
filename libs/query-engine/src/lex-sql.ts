import { AppError } from '@rowhouse/errors';
import type { LexBounds, SqlToken } from './types.js';

export function lexSql(_text: string, _bounds?: LexBounds): SqlToken[] {
  throw new AppError('query.invalid_sql');
}
