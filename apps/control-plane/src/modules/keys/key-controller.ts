import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import {
  createKeyRequest,
  mintSessionKeyRequest,
  rotateKeyRequest,
  type CreatedKeyResponse,
  type CreateKeyRequest,
  type KeyResponse,
  type ListResponse,
  type MintSessionKeyRequest,
  type RotatedKeyResponse,
  type RotateKeyRequest,
  type SessionKeyResponse,
} from '@rowhouse/contracts';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import {
  createdKeyResponse,
  keyResponse,
  rotatedKeyResponse,
  sessionKeyResponse,
} from '../../response-schemas/credentials.js';
import { listOf } from '../../response-schemas/shared.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { KeyService } from './key-service.js';
import { SessionKeyService } from './session-key-service.js';

@Controller('api')
export class KeyController {
  constructor(
    private readonly keys: KeyService,
    private readonly sessionKeys: SessionKeyService,
  ) {}

  @Get('databases/:id/keys')
  @Route({
    id: 'listKeys',
    summary: 'List the active keys of a database',
    access: roleOn('database', 'viewer'),
    answer: listOf(keyResponse),
  })
  async list(@Call() context: RequestContext): Promise<ListResponse<KeyResponse>> {
    return { items: await this.keys.list(context.database.id), next_cursor: null };
  }

  @Post('databases/:id/keys')
  @Route({
    id: 'createKey',
    costClass: 'plan',
    summary: 'Create an API key. `secret` is shown once',
    access: roleOn('database', 'developer'),
    body: createKeyRequest,
    answer: createdKeyResponse,
    status: 201,
  })
  create(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', createKeyRequest)) body: CreateKeyRequest,
  ): Promise<CreatedKeyResponse> {
    return this.keys.create(context, body);
  }

  @Post('keys/:id/rotate')
  @Route({
    id: 'rotateKey',
    access: roleOn('key', 'developer'),
    body: rotateKeyRequest,
    answer: rotatedKeyResponse,
    status: 201,
    summary:
      'Rotate a key. The new secret has the same permissions, and the previous one works for ' +
      '`overlap_seconds` more (default: one day)',
  })
  rotate(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', rotateKeyRequest)) body: RotateKeyRequest,
  ): Promise<RotatedKeyResponse> {
    return this.keys.rotate(context, body);
  }

  @Post('databases/:id/session-key')
  @Route({
    id: 'mintSessionKey',
    access: roleOn('database', 'viewer'),
    body: mintSessionKeyRequest,
    answer: sessionKeyResponse,
    status: 201,
    summary:
      'Create a console key for 15 minutes with the permissions of your role. It ends with your ' +
      'session. `sql_writes` adds the scope query:write and requires the role developer',
  })
  mintSessionKey(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', mintSessionKeyRequest)) body: MintSessionKeyRequest,
  ): Promise<SessionKeyResponse> {
    return this.sessionKeys.mint(context, body);
  }

  @Delete('keys/:id')
  @Route({ id: 'revokeKey', costClass: null, summary: 'Revoke a key', access: roleOn('key', 'developer') })
  revoke(@Call() context: RequestContext): Promise<void> {
    return this.keys.revoke(context);
  }
}
