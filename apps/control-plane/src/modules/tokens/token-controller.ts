import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  createTokenRequest,
  type CreateTokenRequest,
  type ListResponse,
  type TokenResponse,
  type TokenItem,
} from '@rowhouse/contracts';
import { SIGNED_IN } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { listOf } from '../../response-schemas/shared.js';
import { tokenResponse, tokenListItem } from '../../response-schemas/accounts.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { TokenService } from './token-service.js';

@Controller('api/tokens')
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  @Get()
  @Route({
    id: 'listTokens',
    summary: 'List your personal access tokens',
    access: SIGNED_IN,
    answer: listOf(tokenListItem),
  })
  async list(@Call() context: RequestContext): Promise<ListResponse<TokenItem>> {
    return { items: await this.tokens.list(context.accountId), next_cursor: null };
  }

  @Post()
  @Route({
    id: 'createToken',
    summary: 'Create a personal access token. The token is shown once',
    access: SIGNED_IN,
    body: createTokenRequest,
    answer: tokenResponse,
    status: 201,
  })
  create(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', createTokenRequest)) body: CreateTokenRequest,
  ): Promise<TokenResponse> {
    return this.tokens.create(context, body);
  }

  @Delete(':id')
  @Route({ id: 'revokeToken', costClass: null, summary: 'Revoke a personal access token', access: SIGNED_IN })
  revoke(@Call() context: RequestContext, @Param('id') id: string): Promise<void> {
    return this.tokens.revoke(context, id);
  }
}
