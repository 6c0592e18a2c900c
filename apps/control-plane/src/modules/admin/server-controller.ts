import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import {
  createServerRequest,
  updateServerRequest,
  type CreateServerRequest,
  type ListResponse,
  type UpdateServerRequest,
} from '@rowhouse/contracts';
import { OPERATOR } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { listOf } from '../../response-schemas/shared.js';
import { serverResponse } from '../../response-schemas/operator.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { ServerService, type DatabaseServerResponse } from './server-service.js';

@Controller('api/admin/servers')
export class ServerController {
  constructor(private readonly servers: ServerService) {}

  @Get()
  @Route({
    id: 'listServers',
    summary: 'List the database servers of this cell',
    access: OPERATOR,
    answer: listOf(serverResponse),
  })
  async list(): Promise<ListResponse<DatabaseServerResponse>> {
    return { items: await this.servers.list(), next_cursor: null };
  }

  @Post()
  @Route({
    id: 'registerServer',
    summary: 'Add a database server, or update the one with this name',
    access: OPERATOR,
    body: createServerRequest,
    answer: serverResponse,
    status: 201,
  })
  register(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', createServerRequest)) body: CreateServerRequest,
  ): Promise<DatabaseServerResponse> {
    return this.servers.register(context, body);
  }

  @Get(':id')
  @Route({ id: 'getServer', summary: 'Get a database server', access: OPERATOR, answer: serverResponse })
  get(@Param('id') id: string): Promise<DatabaseServerResponse> {
    return this.servers.get(id);
  }

  @Patch(':id')
  @Route({
    id: 'updateServer',
    summary: 'Change the maximum number of databases of a server, or its `state` to draining or active',
    access: OPERATOR,
    body: updateServerRequest,
    answer: serverResponse,
  })
  update(
    @Call() context: RequestContext,
    @Param('id') id: string,
    @Body(new ZodPipe('body', updateServerRequest)) body: UpdateServerRequest,
  ): Promise<DatabaseServerResponse> {
    return this.servers.update(context, id, body);
  }

  @Post(':id/probe')
  @Route({
    id: 'probeServer',
    summary: 'Connect to a server with both accounts and detect its capabilities again',
    access: OPERATOR,
    answer: serverResponse,
  })
  probe(@Call() context: RequestContext, @Param('id') id: string): Promise<DatabaseServerResponse> {
    return this.servers.probe(context, id);
  }

  @Post(':id/drain')
  @Route({
    id: 'drainServer',
    summary: 'Stop placing databases on a server',
    access: OPERATOR,
    answer: serverResponse,
  })
  drain(@Call() context: RequestContext, @Param('id') id: string): Promise<DatabaseServerResponse> {
    return this.servers.drain(context, id);
  }
}
