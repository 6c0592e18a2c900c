import type { IncomingHttpHeaders } from 'node:http';
import { refuseMessage } from './refuse-message.js';
import type { McpToolbox } from './toolbox.js';

/** One POST, its body read as JSON. */
export interface McpRequest {
  readonly headers: IncomingHttpHeaders;
  readonly message: unknown;
}

export interface McpAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string | null;
}

export interface McpEndpoint {
  /** Serves one message with the tools of whoever sent it. Keeps nothing between two of them. */
  serve(request: McpRequest, toolbox: McpToolbox): Promise<McpAnswer>;
}

/**
 * `onDefect` hears of what a toolbox throws that is no AppError. The protocol's package is loaded by the first message: it is large,
 * and a process that starts has better things to do.
 */
export function createMcpEndpoint(onDefect: (error: unknown) => void): McpEndpoint {
  let loading: Promise<McpEndpoint> | null = null;
  return {
    async serve(request, toolbox) {
      const refusal = refuseMessage(request.message);
      if (refusal !== null) return refusal;
      loading ??= import('./speak-mcp.js').then(({ speakMcp }) => speakMcp(onDefect));
      return (await loading).serve(request, toolbox);
    },
  };
}
