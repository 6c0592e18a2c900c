import { toApiError } from '../../data/client/api-error.js';
import { showToast } from './toasts.js';

/** Reports a failure whose location is no longer visible, with the request id. */
export function showFailure(what: string, error: unknown): void {
  const { message, requestId } = toApiError(error);
  showToast({ text: `${what}: ${message}`, tone: 'brick', requestId });
}
