import { hash } from 'node:crypto';
import type { ApiResponse, Plan } from '@rowhouse/rest-engine';

/**
 * The ETag of an answer that is one record: the snapshot's number and a keyed hash of the body, so that a tag tells
 * nothing of the values. Null for everything else.
 */
export function toRecordTag(plan: Plan, response: ApiResponse, number: number, secret: string): string | null {
  if (response.body === null || response.headers['ETag'] !== undefined || !isOneRecord(plan)) return null;
  const text = typeof response.body === 'string' ? response.body : Buffer.from(response.body).toString('latin1');
  return `"${number}.${hash('sha256', secret + text, 'base64url').slice(0, 22)}"`;
}

function isOneRecord(plan: Plan): boolean {
  switch (plan.kind) {
    case 'read': return true;
    case 'create': return !plan.isBulk && plan.answer !== null;
    case 'update': return plan.answer !== null;
    default: return false;
  }
}
