import { describe, expect, it } from 'vitest';
import { ApiError, toApiError } from './api-error.js';

describe('ApiError', () => {
  it('ApiError contains the code, hint and request id of the response', () => {
    const error = new ApiError(409, {
      detail: 'Taken.',
      code: 'resource.conflict',
      request_id: 'req_1',
      hint: 'Another name.',
      loss: ['a'],
    });
    expect(error).toMatchObject({
      status: 409,
      message: 'Taken.',
      code: 'resource.conflict',
      requestId: 'req_1',
      hint: 'Another name.',
    });
    expect(error.extra).toEqual({ loss: ['a'] });
  });

  it('ApiError lists faults and removes the prefix `body` from their locations', () => {
    const error = new ApiError(422, {
      detail: [
        { loc: ['body', 'tables', 'posts'], msg: 'unknown table', type: 'x' },
        { loc: [], msg: 'bad', type: 'x' },
      ],
    });
    expect(error.details).toEqual(['tables.posts: unknown table', 'bad']);
    expect(error.faults).toEqual([
      { path: ['tables', 'posts'], message: 'unknown table' },
      { path: [], message: 'bad' },
    ]);
  });

  it('ApiError keeps the name of a member called `body`', () => {
    const detail = [{ loc: ['body', 'body'], msg: 'too long: 9', type: 'x' }];
    expect(new ApiError(422, { detail }).faults).toEqual([{ path: ['body'], message: 'too long: 9' }]);
  });

  it('an error response without a body gets a default text', () => {
    expect(new ApiError(502, '<html>', 'req_h')).toMatchObject({
      message: 'The server responded with status 502.',
      code: 'http.502',
      requestId: 'req_h',
    });
    expect(toApiError(new TypeError('boom'))).toMatchObject({
      status: 0,
      code: 'console.defect',
      message: 'boom',
    });
  });
});
