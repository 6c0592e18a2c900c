import { AppError } from '@rowhouse/errors';
import type { GuardedQuery, GuardOptions } from './types.js';

export function guardQuery(_text: string, _options: GuardOptions): GuardedQuery {
  throw new AppError('query.not_allowed');
}
