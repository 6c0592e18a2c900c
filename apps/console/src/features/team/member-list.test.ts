import { expect, it } from 'vitest';
import { describeCredentials } from './member-list.js';

it('the member list counts the credentials of a member and omits kinds with none', () => {
  expect(describeCredentials({ api_keys: 2, connections: 1, share_links: 0 })).toBe(
    '2 API keys, 1 connection',
  );
  expect(describeCredentials({ api_keys: 0, connections: 0, share_links: 3 })).toBe('3 share links');
  expect(describeCredentials({ api_keys: 0, connections: 0, share_links: 0 })).toBe('');
});
