import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What a connection is answered at the moment. Node has no public name for it. */
export function answerUnderWay(socket: Socket): ServerResponse | null {
  return (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}
