import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { createServerRequest, type CreateServerRequest, type ListAnswer } from '@rowhouse/contracts';
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

  @Post(':id/drain')
  @Route({ id: 'drainServer', summary: 'Put no further database on a server', access: OPERATOR, answer: serverAnswer })
  drain(@Call() call: CallContext, @Param('id') id: string): Promise<ServerAnswer> {
    return this.servers.drain(call, id);
  }
}
