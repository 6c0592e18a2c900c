import type { IncomingHttpHeaders } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type jsonSchemaValidator,
  type McpRequestContext,
} from '@modelcontextprotocol/server';
import { AppError } from '@rowhouse/errors';
import type { McpHandler, McpResponse } from './check-message.js';
import type { McpToolbox } from './tools.js';

const VERSION = '0.1.0';
/**
 * The time in milliseconds for which clients may cache the list of tools, in protocol revisions that support
 * this.
 */
const LIST_TTL_MS = 30_000;
/** The headers that the protocol package reads. */
const PROTOCOL_HEADERS = [
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'last-event-id',
] as const;

/** Creates a handler for the messages that `rejectMessage` did not reject. */
export function handleMcpMessage(onDefect: (error: unknown) => void): McpHandler {
  const modern = createMcpHandler((ctx) => createServer(toolboxOf(ctx), onDefect), { legacy: 'reject' });
  return {
    async serve({ headers, message }, toolbox) {
      const request = toWebRequest(headers);
      if (await isLegacyRequest(request, message))
        return serveLegacy(request, message, createServer(toolbox, onDefect));
      return toResponse(await modern.fetch(request, { parsedBody: message, authInfo: toAuthInfo(toolbox) }));
    },
  };
}

/** Handles messages of protocol revisions up to 2025. Their transport is created for each message. */
async function serveLegacy(request: Request, message: unknown, server: Server): Promise<McpResponse> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await toResponse(await transport.handleRequest(request, { parsedBody: message }));
  } finally {
    await server.close();
  }
}

function createServer(toolbox: McpToolbox, onDefect: (error: unknown) => void): Server {
  const { name, title, instructions } = toolbox;
  const server = new Server(
    { name, title, version: VERSION },
    {
      capabilities: { tools: {} },
      instructions,
      jsonSchemaValidator: NO_VALIDATOR,
      cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
    },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: await guard(() => toolbox.listTools(), onDefect),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const result = await guard(() => toolbox.callTool(params.name, params.arguments ?? {}), onDefect);
    if (result === null)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool "${params.name}". Call tools/list for the available tools.`,
      );
    return result;
  });
  return server;
}

/**
 * Converts thrown errors to errors of the protocol. An AppError keeps its text. Any other error gets a
 * generic text.
 */
async function guard<T>(callback: () => Promise<T>, onDefect: (error: unknown) => void): Promise<T> {
  try {
    return await callback();
  } catch (error) {
    if (error instanceof AppError)
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        error.hint === undefined ? error.detail : `${error.detail} ${error.hint}`,
        { code: error.code },
      );
    onDefect(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'An internal error occurred.');
  }
}

/**
 * The package uses a validator only for input that the server requests from the client, which never happens
 * here. A real validator would take time for each request.
 */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator: () => () => ({
    valid: false,
    data: undefined,
    errorMessage: 'The server does not request input from clients.',
  }),
};

/**
 * Creates a Request without the body, which is passed separately. The headers ask for a response as a single
 * JSON text, which every client accepts.
 */
function toWebRequest(headers: IncomingHttpHeaders): Request {
  const forwarded = new Headers({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  });
  for (const name of PROTOCOL_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') forwarded.set(name, value);
  }
  return new Request('http://mcp.invalid/mcp', { method: 'POST', headers: forwarded });
}

async function toResponse(response: Response): Promise<McpResponse> {
  const body = await response.text();
  return {
    status: response.status,
    contentType: body === '' ? null : response.headers.get('content-type'),
    body: body === '' ? null : body,
  };
}

/** Puts the tools into `authInfo`, which the package passes unchanged to the code that creates a server. */
function toAuthInfo(toolbox: McpToolbox): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { toolbox } };
}

function toolboxOf(ctx: McpRequestContext): McpToolbox {
  const toolbox = ctx.authInfo?.extra?.['toolbox'];
  if (toolbox === undefined) throw new Error('The request has no toolbox.');
  return toolbox as McpToolbox;
}
