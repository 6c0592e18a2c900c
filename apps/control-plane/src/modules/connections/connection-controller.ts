import { Body, Controller, Delete, Get, Post, Res } from '@nestjs/common';
import {
  createConnectionRequest,
  rotateConnectionRequest,
  testConnectionRequest,
  type ConnectionResponse,
  type ConnectionTestResponse,
  type CreateConnectionRequest,
  type CreatedConnectionResponse,
  type DirectAccessResponse,
  type ListResponse,
  type RotateConnectionRequest,
  type TestConnectionRequest,
} from '@rowhouse/contracts';
import type { FastifyReply } from 'fastify';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import {
  connectionResponse,
  connectionTestResponse,
  createdConnectionResponse,
} from '../../response-schemas/credentials.js';
import { directAccessResponse } from '../../response-schemas/databases.js';
import { listOf } from '../../response-schemas/shared.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { DatabaseService } from '../databases/database-service.js';
import { DIRECT_LIMITS, listToolNotes } from './direct-notes.js';
import { CA_FILE_NAME } from './format-connection-string.js';
import { ConnectionService } from './connection-service.js';

@Controller('api')
export class ConnectionController {
  constructor(
    private readonly connections: ConnectionService,
    private readonly databases: DatabaseService,
  ) {}

  @Get('databases/:id/connections')
  @Route({
    id: 'listConnections',
    summary: 'The live connection users of a database',
    access: roleOn('database', 'viewer'),
    answer: listOf(connectionResponse),
  })
  async list(@Call() context: RequestContext): Promise<ListResponse<ConnectionResponse>> {
    return { items: await this.connections.list(context.database), next_cursor: null };
  }

  @Get('databases/:id/direct-access')
  @Route({
    id: 'describeDirectAccess',
    summary:
      'The engine of a database, the limits of its direct connections, and what tools need on this engine',
    access: roleOn('database', 'viewer'),
    answer: directAccessResponse,
  })
  async describe(@Call() context: RequestContext): Promise<DirectAccessResponse> {
    const { engine, engine_version } = await this.databases.answer(context.database);
    return { engine, engine_version, limits: [...DIRECT_LIMITS], tools: listToolNotes(engine) };
  }

  @Get('databases/:id/ca')
  @Route({
    id: 'downloadAuthority',
    summary:
      "The authority of the database server's certificate as a PEM file; 404 where it is one that systems know",
    access: roleOn('database', 'viewer'),
    media: 'application/x-pem-file',
  })
  async downloadAuthority(@Call() context: RequestContext, @Res() reply: FastifyReply): Promise<void> {
    const pem = await this.connections.readAuthority(context.database);
    await reply
      .header('content-type', 'application/x-pem-file')
      .header('content-disposition', `attachment; filename="${CA_FILE_NAME}"`)
      .send(pem);
  }

  @Post('databases/:id/connections')
  @Route({
    id: 'createConnection',
    costClass: 'plan',
    access: roleOn('database', 'developer'),
    body: createConnectionRequest,
    answer: createdConnectionResponse,
    status: 201,
    summary: 'A direct account on the database server; its password and connection string are shown once',
  })
  create(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', createConnectionRequest)) body: CreateConnectionRequest,
  ): Promise<CreatedConnectionResponse> {
    return this.connections.create(context, body);
  }

  @Post('connections/:id/rotate')
  @Route({
    id: 'rotateConnection',
    costClass: 'plan',
    access: roleOn('connection', 'developer'),
    body: rotateConnectionRequest,
    answer: createdConnectionResponse,
    summary:
      'A new password, shown once; the one before holds for `overlap_seconds` more (a day unless said), and open sessions stay; with 0, both end at once',
  })
  rotate(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', rotateConnectionRequest)) body: RotateConnectionRequest,
  ): Promise<CreatedConnectionResponse> {
    return this.connections.rotate(context, body);
  }

  @Post('connections/:id/test')
  @Route({
    id: 'testConnection',
    costClass: 'plan',
    access: roleOn('connection', 'developer'),
    body: testConnectionRequest,
    answer: connectionTestResponse,
    summary:
      'Sign in with this password as a program would: at the address of the connection string, else at the server itself',
  })
  test(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', testConnectionRequest)) body: TestConnectionRequest,
  ): Promise<ConnectionTestResponse> {
    return this.connections.test(context, body);
  }

  @Delete('connections/:id')
  @Route({
    id: 'revokeConnection',
    costClass: null,
    summary: 'Revoke a connection user and end its sessions',
    access: roleOn('connection', 'developer'),
  })
  revoke(@Call() context: RequestContext): Promise<void> {
    return this.connections.revoke(context);
  }
}
