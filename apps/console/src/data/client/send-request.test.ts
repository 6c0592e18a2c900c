import { expect, it } from 'vitest';
import { toSearch } from './send-request.js';

it('toSearch omits parameters without a value', () => {
  expect(toSearch({ status: '4xx', route: 'GET /posts/{id}', key: undefined, code: '' })).toBe(
    '?status=4xx&route=GET+%2Fposts%2F%7Bid%7D',
  );
  expect(toSearch({ key: undefined })).toBe('');
});
