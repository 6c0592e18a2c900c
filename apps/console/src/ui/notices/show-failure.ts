import { toApiError } from '../../data/client/api-error.js';
import { showToast } from './toasts.js';

/**
 * Reports an error in a toast, with the id of the request. It is used when the place where the error occurred
 * is no longer visible.
 */
export function showFailure(what: string, error: unknown): void {
  const { message, requestId } = toApiError(error);
  showToast({ text: `${what}: ${message}`, tone: 'brick', requestId });
}
