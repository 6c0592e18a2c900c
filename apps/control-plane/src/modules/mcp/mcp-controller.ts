import { Controller, Delete, Get, Inject, Post, Req, Res, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AppError } from '@rowhouse/errors';
import { createMcpEndpoint, isTrustedOrigin, type McpEndpoint } from '@rowhouse/mcp';
import type { Logger } from '@rowhouse/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANYONE, SIGNED_IN } from '../../access/access-rule.js';
import type { Config } from '../../config.js';
import { Route } from '../../http/route-spec.js';
import { CONFIG, LOGGER } from '../../platform/tokens.js';
import { createControlApi } from './control-api-caller.js';
import { createControlToolbox } from './control-toolbox.js';

/** The MCP server for projects and schemas. Each tool calls the control API with the caller's own token. */
@Controller('mcp')
export class McpController implements OnModuleInit {
  readonly #endpoint: McpEndpoint;

  constructor(
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#endpoint = createMcpEndpoint((error) => this.#warn(error));
  }

  onModuleInit(): Promise<void> {
    return this.#endpoint.load();
  }

  @Post()
  @Route({
    id: 'mcp',
    costClass: null,
    summary: 'Send one MCP message (JSON-RPC over streamable HTTP) with a personal access token',
    access: SIGNED_IN,
    media: 'application/json',
  })
  async serve(@Req() req: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.#checkCaller(req);
    const api = createControlApi(this.adapterHost.httpAdapter.getInstance<FastifyInstance>(), req);
    const toolbox = createControlToolbox(api, req.id, (error) => this.#warn(error));
    const answer = await this.#endpoint.serve({ headers: req.headers, message: req.body }, toolbox);
    if (answer.contentType !== null) reply.type(answer.contentType);
    await reply
      .header('cache-control', 'no-store')
      .status(answer.status)
      .send(answer.body ?? '');
  }

  @Get()
  @Route({
    id: 'mcpStream',
    summary: 'Not supported. The server does not send messages on its own',
    access: ANYONE,
    status: 405,
  })
  refuseStream(): never {
    throw notServed();
  }

  @Delete()
  @Route({
    id: 'mcpEnd',
    summary: 'Not supported. There are no sessions to end',
    access: ANYONE,
    status: 405,
  })
  refuseEnd(): never {
    throw notServed();
  }

  /**
   * Rejects requests without a token. A cookie is not accepted, because a browser sends its cookie from any
   * page.
   */
  #checkCaller(req: FastifyRequest): void {
    if (req.caller?.via !== 'token') {
      throw new AppError('auth.missing_session', {
        detail: 'MCP requires a personal access token.',
        hint: 'Create one in the console and send it as Authorization: Bearer <token>.',
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    if (isTrustedOrigin({ host: req.headers.host, origin: req.headers.origin }, this.config.publicUrl))
      return;
    throw new AppError('auth.origin_refused', {
      detail: 'MCP rejects requests from web pages of other sites and requests to another host name.',
      hint: `Use the URL ${this.config.publicUrl.replace(/\/$/, '')}/mcp.`,
    });
  }

  #warn(error: unknown): void {
    this.logger.error({ err: error }, 'an MCP call failed');
  }
}

function notServed(): AppError {
  return new AppError('request.method_not_allowed', {
    headers: { allow: 'POST' },
    hint: 'Send one message in each POST.',
  });
}
