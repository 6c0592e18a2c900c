import type { IncomingHttpHeaders } from 'node:http';
import {
  isShortMessage,
  type McpResponse,
  rejectMessage,
  rejectTooLong,
  takeArguments,
} from './check-message.js';
import type { McpToolbox } from './tools.js';

/** A POST request with its body parsed as JSON. */
export interface McpRequest {
  readonly headers: IncomingHttpHeaders;
  readonly message: unknown;
}

export interface McpEndpoint {
  /** Processes one message with the tools of its sender. Stores nothing between messages. */
  serve(request: McpRequest, toolbox: McpToolbox): Promise<McpResponse>;
  /** Loads the protocol package, which blocks the event loop for about 100 ms. Call it before serving. */
  load(): Promise<void>;
}

/**
 * Creates the endpoint.
 *
 * @param onDefect receives the errors of a toolbox other than AppErrors
 */
export function createMcpEndpoint(onDefect: (error: unknown) => void): McpEndpoint {
  let loading: Promise<Pick<McpEndpoint, 'serve'>> | null = null;
  const load = (): Promise<Pick<McpEndpoint, 'serve'>> =>
    (loading ??= import('./handle-mcp-message.js').then(({ handleMcpMessage: speakMcp }) =>
      speakMcp(onDefect),
    ));
  return {
    async serve(request, toolbox) {
      const rejection = rejectMessage(request.message);
      if (rejection !== null) return rejection;
      const { message, args } = takeArguments(request.message);
      if (!isShortMessage(message)) return rejectTooLong();
      const tools: McpToolbox =
        args === undefined ? toolbox : { ...toolbox, callTool: (name) => toolbox.callTool(name, args) };
      return (await load()).serve({ headers: request.headers, message }, tools);
    },
    async load() {
      await load();
      // Node loads its fetch implementation, which is equally large, with the first Request.
      void new Request('http://localhost/');
    },
  };
}
