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
  /** Loads the protocol's package, which holds the event loop for a tenth of a second: to be called before anything is served. */
  load(): Promise<void>;
}

/** `onDefect` hears of what a toolbox throws that is no AppError. */
export function createMcpEndpoint(onDefect: (error: unknown) => void): McpEndpoint {
  let loading: Promise<Pick<McpEndpoint, 'serve'>> | null = null;
  const load = (): Promise<Pick<McpEndpoint, 'serve'>> => (loading ??= import('./speak-mcp.js').then(({ speakMcp }) => speakMcp(onDefect)));
  return {
    async serve(request, toolbox) {
      const refusal = refuseMessage(request.message);
      if (refusal !== null) return refusal;
      const { message, args } = takeArguments(request.message);
      if (!isShortMessage(message)) return refuseTooLong();
      const tools: McpToolbox = args === undefined ? toolbox : { ...toolbox, callTool: (name) => toolbox.callTool(name, args) };
      return (await load()).serve({ headers: request.headers, message }, tools);
    },
    async load() {
      await load();
      // Node loads its own part of this, which is as large, when the first of them is made.
      void new Request('http://localhost/');
    },
  };
}
