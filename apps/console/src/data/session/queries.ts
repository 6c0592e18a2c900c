import type { SessionResponse } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendRequest, setCsrfToken } from '../client/send-request.js';

export const sessionKeys = { me: ['session'] as const };
/** The signed-in account. The request fails with 401 `auth.missing_session` when no one is signed in. */
export const sessionQuery = queryOptions({
  queryKey: sessionKeys.me,
  queryFn: fetchSession,
  staleTime: 300_000,
});

export async function fetchSession(): Promise<SessionResponse> {
  const session = await sendRequest<SessionResponse>('GET', '/api/me');
  setCsrfToken(session.csrf_token);
  return session;
}
