import { ApiError } from '../client/api-error.js';

/** The browser had no answer at all: the gateway is away, or the way to it. */
export function toUnreachable(baseUrl: string): ApiError {
  return new ApiError(0, { detail: `The gateway at ${baseUrl} cannot be reached from this browser.`, code: 'network.failed', hint: 'Check that it is running and that you are online, then try again.' });
}
