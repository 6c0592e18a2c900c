import { toApiError } from '../data/client/api-error.js';
import { showToast } from './toasts.js';

/** Tells of something that went wrong where its place is no longer in view, with the id to quote. */
export function showFailure(what: string, error: unknown): void {
  const { message, requestId } = toApiError(error);
  showToast({ text: `${what}: ${message}`, tone: 'brick', requestId });
}
