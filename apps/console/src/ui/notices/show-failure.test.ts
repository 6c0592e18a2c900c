import { expect, it } from 'vitest';
import { ApiError } from '../../data/client/api-error.js';
import { showFailure } from './show-failure.js';
import { readToasts } from './toasts.js';

it('showFailure shows what failed and why, with the request id', () => {
  showFailure(
    'No rows were made',
    new ApiError(409, { detail: 'The table has rows.', code: 'transfer.not_possible', request_id: 'req_1' }),
  );
  expect(readToasts().at(-1)).toMatchObject({
    text: 'No rows were made: The table has rows.',
    tone: 'brick',
    requestId: 'req_1',
  });
  showFailure('It was not taken back', 'for no reason');
  expect(readToasts().at(-1)).toMatchObject({
    text: 'It was not taken back: for no reason',
    requestId: null,
  });
});
