import type { MemberCredentialsResponse } from '@rowhouse/contracts';

/**
 * Describes a member's credentials, such as "2 API keys, 1 connection". Returns an empty string when there
 * are none.
 */
export function describeCredentials({
  api_keys: keys,
  connections,
  share_links: links,
}: MemberCredentialsResponse): string {
  const parts: readonly (readonly [number, string])[] = [
    [keys, 'API key'],
    [connections, 'connection'],
    [links, 'share link'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}${count === 1 ? '' : 's'}`)
    .join(', ');
}
