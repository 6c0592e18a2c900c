import { AppError } from '@rowhouse/errors';
import type { Answer, Call } from './call.js';
import type { Gateway } from './gateway.js';

export async function serveQuery(_gateway: Gateway, _call: Call): Promise<Answer> {
  throw new AppError('query.not_allowed');
}
