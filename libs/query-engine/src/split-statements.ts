import { AppError } from '@rowhouse/errors';
import type { SplitOptions, SqlStatement } from './types.js';

export function splitStatements(_text: string, _options: SplitOptions): SqlStatement[] {
  throw new AppError('schema.invalid_sql');
}
