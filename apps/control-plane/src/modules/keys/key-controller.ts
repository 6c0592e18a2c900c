import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import {
  createKeyRequest, mintSessionKeyRequest, rotateKeyRequest,
  type CreatedKeyAnswer, type CreateKeyRequest, type KeyAnswer, type ListAnswer, type MintSessionKeyRequest, type RotatedKeyAnswer, type RotateKeyRequest, type SessionKeyAnswer,
} from '@rowhouse/contracts';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { createdKeyAnswer, keyAnswer, listOf, rotatedKeyAnswer, sessionKeyAnswer } from '../../answers/answer-schemas.js';
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
  @Route({ id: 'listKeys', summary: 'The live keys of a database', access: roleOn('database', 'viewer'), answer: listOf(keyAnswer) })
  async list(@Call() call: CallContext): Promise<ListAnswer<KeyAnswer>> {
    return { items: await this.keys.list(call.database.id), next_cursor: null };
  }

  @Post('databases/:id/keys')
  @Route({ id: 'createKey', weight: 'plan', summary: 'An API key; `secret` is shown once', access: roleOn('database', 'developer'), body: createKeyRequest, answer: createdKeyAnswer, status: 201 })
  create(@Call() call: CallContext, @Body(new ZodPipe('body', createKeyRequest)) body: CreateKeyRequest): Promise<CreatedKeyAnswer> {
    return this.keys.create(call, body);
  }

  @Post('keys/:id/rotate')
  @Route({
    id: 'rotateKey', access: roleOn('key', 'developer'), body: rotateKeyRequest, answer: rotatedKeyAnswer, status: 201,
    summary: 'A new secret with the same rights; the one before holds for `overlap_seconds` more (a day unless said)',
  })
  rotate(@Call() call: CallContext, @Body(new ZodPipe('body', rotateKeyRequest)) body: RotateKeyRequest): Promise<RotatedKeyAnswer> {
    return this.keys.rotate(call, body);
  }

  @Post('databases/:id/session-key')
  @Route({
    id: 'mintSessionKey', access: roleOn('database', 'viewer'), body: mintSessionKeyRequest, answer: sessionKeyAnswer, status: 201,
    summary: 'For the console: a key of 15 minutes with the rights of your role, which ends with your session; `sql_writes` (role developer) adds the scope query:write',
  })
  mintSessionKey(@Call() call: CallContext, @Body(new ZodPipe('body', mintSessionKeyRequest)) body: MintSessionKeyRequest): Promise<SessionKeyAnswer> {
    return this.sessionKeys.mint(call, body);
  }

  @Delete('keys/:id')
  @Route({ id: 'revokeKey', weight: null, summary: 'Revoke a key', access: roleOn('key', 'developer') })
  revoke(@Call() call: CallContext): Promise<void> {
    return this.keys.revoke(call);
  }
}
