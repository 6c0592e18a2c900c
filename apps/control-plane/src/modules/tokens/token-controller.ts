import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { createTokenRequest, type CreateTokenRequest, type ListAnswer, type TokenAnswer, type TokenItem } from '@rowhouse/contracts';
import { SIGNED_IN } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { listOf, tokenAnswer, tokenListItem } from '../../answers/answer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { TokenService } from './token-service.js';

@Controller('api/tokens')
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  @Get()
  @Route({ id: 'listTokens', summary: 'The personal access tokens of the caller', access: SIGNED_IN, answer: listOf(tokenListItem) })
  async list(@Call() call: CallContext): Promise<ListAnswer<TokenItem>> {
    return { items: await this.tokens.list(call.accountId), next_cursor: null };
  }

  @Post()
  @Route({ id: 'createToken', summary: 'A personal access token; the token is shown once', access: SIGNED_IN, body: createTokenRequest, answer: tokenAnswer, status: 201 })
  create(@Call() call: CallContext, @Body(new ZodPipe('body', createTokenRequest)) body: CreateTokenRequest): Promise<TokenAnswer> {
    return this.tokens.create(call, body);
  }

  @Delete(':id')
  @Route({ id: 'revokeToken', weight: null, summary: 'Revoke a personal access token', access: SIGNED_IN })
  revoke(@Call() call: CallContext, @Param('id') id: string): Promise<void> {
    return this.tokens.revoke(call, id);
  }
}
