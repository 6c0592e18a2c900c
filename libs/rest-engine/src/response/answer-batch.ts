import type { Preferences } from '../request/api-request.js';
import type { ApiResponse } from './api-response.js';

/** What each operation answered, in order, as one array. */
export function answerBatch(responses: readonly ApiResponse[], preferences: Preferences): ApiResponse {
  const applied = new Set(responses.flatMap((response) => response.headers['Preference-Applied']?.split(', ') ?? []));
  if (preferences.transaction === 'rollback') applied.add('tx=rollback');
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8' };
  if (applied.size > 0) headers['Preference-Applied'] = [...applied].join(', ');
  return { status: 200, headers, body: `[${responses.map(writeAnswer).join(',')}]` };
}

function writeAnswer({ status, headers, body }: ApiResponse): string {
  const { 'Content-Type': _type, 'Preference-Applied': _applied, ...own } = headers;
  return `{"status":${status},"headers":${JSON.stringify(own)},"body":${body === null ? 'null' : String(body)}}`;
}
