import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { createServerRequest, updateServerRequest, type CreateServerRequest, type ListAnswer, type UpdateServerRequest } from '@rowhouse/contracts';
import { OPERATOR } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { listOf, serverAnswer } from '../../answers/answer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { ServerService, type ServerAnswer } from './server-service.js';

@Controller('api/admin/servers')
export class ServerController {
  constructor(private readonly servers: ServerService) {}

  @Get()
  @Route({ id: 'listServers', summary: 'The database servers of this cell', access: OPERATOR, answer: listOf(serverAnswer) })
  async list(): Promise<ListAnswer<ServerAnswer>> {
    return { items: await this.servers.list(), next_cursor: null };
  }

  @Post()
  @Route({ id: 'registerServer', summary: 'Add a database server, or update the one of this name', access: OPERATOR, body: createServerRequest, answer: serverAnswer, status: 201 })
  register(@Call() call: CallContext, @Body(new ZodPipe('body', createServerRequest)) body: CreateServerRequest): Promise<ServerAnswer> {
    return this.servers.register(call, body);
  }

  @Get(':id')
  @Route({ id: 'getServer', summary: 'One database server', access: OPERATOR, answer: serverAnswer })
  get(@Param('id') id: string): Promise<ServerAnswer> {
    return this.servers.get(id);
  }

  @Patch(':id')
  @Route({ id: 'updateServer', summary: 'How many databases a server takes; `state` draining or active again', access: OPERATOR, body: updateServerRequest, answer: serverAnswer })
  update(@Call() call: CallContext, @Param('id') id: string, @Body(new ZodPipe('body', updateServerRequest)) body: UpdateServerRequest): Promise<ServerAnswer> {
    return this.servers.update(call, id, body);
  }

  @Post(':id/probe')
  @Route({ id: 'probeServer', summary: 'Connect to a server under both accounts and find out anew what it can do', access: OPERATOR, answer: serverAnswer })
  probe(@Call() call: CallContext, @Param('id') id: string): Promise<ServerAnswer> {
    return this.servers.probe(call, id);
  }

  @Post(':id/drain')
  @Route({ id: 'drainServer', summary: 'Put no further database on a server', access: OPERATOR, answer: serverAnswer })
  drain(@Call() call: CallContext, @Param('id') id: string): Promise<ServerAnswer> {
    return this.servers.drain(call, id);
  }
}
