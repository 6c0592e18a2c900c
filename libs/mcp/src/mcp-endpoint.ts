import type { IncomingHttpHeaders } from 'node:http';
import { refuseMessage, refuseTooLong } from './refuse-message.js';
import { isShortMessage, takeArguments } from './take-arguments.js';
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
      const { message, args } = takeArguments(request.message);
      if (!isShortMessage(message)) return refuseTooLong();
      loading ??= import('./speak-mcp.js').then(({ speakMcp }) => speakMcp(onDefect));
      const tools: McpToolbox = args === undefined ? toolbox : { ...toolbox, callTool: (name) => toolbox.callTool(name, args) };
      return (await loading).serve({ headers: request.headers, message }, tools);
    },
  };
}
