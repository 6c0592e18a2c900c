import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Returns the response that a connection is currently writing. Node has no public name for it. */
export function pendingResponse(socket: Socket): ServerResponse | null {
  return (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}
