import type { Preferences } from '../request/api-request.js';
import type { ApiResponse } from './api-response.js';

/** Joins texts and UTF-8 bytes to one body. */
export type JoinParts = (parts: readonly (string | Uint8Array)[]) => string | Uint8Array;

/** Returns the responses of all operations of a batch as one array, in order. */
export function respondBatch(
  responses: readonly ApiResponse[],
  preferences: Preferences,
  join: JoinParts = joinTexts,
): ApiResponse {
  const applied = new Set(
    responses.flatMap((response) => response.headers['Preference-Applied']?.split(', ') ?? []),
  );
  if (preferences.transaction === 'rollback') applied.add('tx=rollback');
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8' };
  if (applied.size > 0) headers['Preference-Applied'] = [...applied].join(', ');
  return {
    status: 200,
    headers,
    body: join([
      '[',
      ...responses.flatMap((response, index) => [index === 0 ? '' : ',', ...writeResponse(response)]),
      ']',
    ]),
  };
}

function joinTexts(parts: readonly (string | Uint8Array)[]): string {
  return parts.map(String).join('');
}

function writeResponse({ status, headers, body }: ApiResponse): (string | Uint8Array)[] {
  const { 'Content-Type': _type, 'Preference-Applied': _applied, ...own } = headers;
  return [`{"status":${status},"headers":${JSON.stringify(own)},"body":`, body ?? 'null', '}'];
}
