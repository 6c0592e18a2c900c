import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { createKeyRequest, type CreatedKeyAnswer, type CreateKeyRequest, type KeyAnswer, type ListAnswer } from '@rowhouse/contracts';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { createdKeyAnswer, keyAnswer, listOf } from '../../answers/answer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { KeyService } from './key-service.js';

@Controller('api')
export class KeyController {
  constructor(private readonly keys: KeyService) {}

  @Get('databases/:id/keys')
  @Route({ id: 'listKeys', summary: 'The live keys of a database', access: roleOn('database', 'viewer'), answer: listOf(keyAnswer) })
  async list(@Call() call: CallContext): Promise<ListAnswer<KeyAnswer>> {
    return { items: await this.keys.list(call.database.id), next_cursor: null };
  }

  @Post('databases/:id/keys')
  @Route({ id: 'createKey', summary: 'An API key; `secret` is shown once', access: roleOn('database', 'developer'), body: createKeyRequest, answer: createdKeyAnswer, status: 201 })
  create(@Call() call: CallContext, @Body(new ZodPipe('body', createKeyRequest)) body: CreateKeyRequest): Promise<CreatedKeyAnswer> {
    return this.keys.create(call, body);
  }

  @Delete('keys/:id')
  @Route({ id: 'revokeKey', summary: 'Revoke a key', access: roleOn('key', 'developer') })
  revoke(@Call() call: CallContext): Promise<void> {
    return this.keys.revoke(call);
  }
}
