import {
  isShortMessage,
  type McpHandler,
  rejectMessage,
  rejectTooLong,
  takeArguments,
} from './check-message.js';
import type { McpToolbox } from './tools.js';

export interface McpEndpoint extends McpHandler {
  /**
   * Loads the protocol package, which blocks the event loop for about 100 ms. Call it before the server
   * accepts requests.
   */
  load(): Promise<void>;
}

/**
 * Creates the endpoint.
 *
 * @param onDefect called with a toolbox's errors that are not AppErrors
 */
export function createMcpEndpoint(onDefect: (error: unknown) => void): McpEndpoint {
  let loading: Promise<McpHandler> | null = null;
  const load = (): Promise<McpHandler> =>
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
      // The first Request makes Node load its fetch implementation, which takes about as long as loading the
      // package.
      void new Request('http://localhost/');
    },
  };
}
