import { Body, Controller, Delete, Get, Post, Res } from '@nestjs/common';
import {
  CA_FILE_NAME,
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
    summary: 'List the active connection users of a database',
    access: roleOn('database', 'viewer'),
    answer: listOf(connectionResponse),
  })
  async list(@Call() context: RequestContext): Promise<ListResponse<ConnectionResponse>> {
    return { items: await this.connections.list(context.database), next_cursor: null };
  }

  @Get('databases/:id/direct-access')
  @Route({
    id: 'describeDirectAccess',
    summary: 'Get the engine of a database, the limits of direct connections, and advice for tools',
    access: roleOn('database', 'viewer'),
    answer: directAccessResponse,
  })
  async describe(@Call() context: RequestContext): Promise<DirectAccessResponse> {
    const { engine, engine_version } = await this.databases.toResponse(context.database);
    return { engine, engine_version, limits: [...DIRECT_LIMITS], tools: listToolNotes(engine) };
  }

  @Get('databases/:id/ca')
  @Route({
    id: 'downloadAuthority',
    summary:
      'Get the CA certificate of the database server as a PEM file. Returns 404 if systems already ' +
      'trust the CA',
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
    summary: 'Create a connection user. Its password and connection string are shown once',
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
      'Set a new password, which is shown once. The previous one works for `overlap_seconds` more ' +
      '(default: one day), and open sessions continue. With 0, both end immediately',
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
      'Test the sign-in with this password, at the address of the connection string or else at the ' +
      'server',
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
