import { ApiError } from '../client/api-error.js';

/** Creates the error for a browser that got no response from the gateway. */
export function toUnreachable(baseUrl: string): ApiError {
  return new ApiError(0, {
    detail: `The gateway at ${baseUrl} cannot be reached from this browser.`,
    code: 'network.failed',
    hint: 'Check that it is running and that you are online, then try again.',
  });
}
