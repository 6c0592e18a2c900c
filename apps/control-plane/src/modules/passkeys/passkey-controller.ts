import { Body, Controller, Delete, Get, Param, Patch, Post, Req, Res } from '@nestjs/common';
import {
  createPasskeyRequest,
  passkeyOptionsRequest,
  passkeySignInRequest,
  renamePasskeyRequest,
  type CreatePasskeyRequest,
  type ListResponse,
  type PasskeyItem,
  type PasskeyOptionsRequest,
  type PasskeySignInRequest,
  type SessionResponse,
} from '@rowhouse/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ANYONE, SIGNED_IN } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { SessionCookie, SignInCookie } from '../../access/session-cookie.js';
import { passkeyItem, passkeyOptions, sessionResponse } from '../../response-schemas/accounts.js';
import { listOf } from '../../response-schemas/shared.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { PasskeyService } from './passkey-service.js';

@Controller('api')
export class PasskeyController {
  constructor(
    private readonly passkeys: PasskeyService,
    private readonly cookie: SessionCookie,
    private readonly pending: SignInCookie,
  ) {}

  @Get('me/passkeys')
  @Route({
    id: 'listPasskeys',
    summary: 'List your passkeys',
    access: SIGNED_IN,
    answer: listOf(passkeyItem),
  })
  async list(@Call() context: RequestContext): Promise<ListResponse<PasskeyItem>> {
    return { items: await this.passkeys.list(context.accountId), next_cursor: null };
  }

  @Post('me/passkeys/options')
  @Route({
    id: 'beginPasskey',
    summary: 'Start to add a passkey, with your password and, with two-factor authentication, a code',
    access: SIGNED_IN,
    body: passkeyOptionsRequest,
    answer: passkeyOptions,
  })
  async begin(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', passkeyOptionsRequest)) body: PasskeyOptionsRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const { options, stateToken } = await this.passkeys.begin(context, body);
    this.pending.set(reply, stateToken);
    return options;
  }

  @Post('me/passkeys')
  @Route({
    id: 'createPasskey',
    summary: 'Add the passkey that the browser created',
    access: SIGNED_IN,
    body: createPasskeyRequest,
    answer: passkeyItem,
    status: 201,
  })
  async create(
    @Call() context: RequestContext,
    @Req() req: FastifyRequest,
    @Body(new ZodPipe('body', createPasskeyRequest)) body: CreatePasskeyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PasskeyItem> {
    const created = await this.passkeys.create(context, req.cookies[this.pending.name], body);
    this.pending.clear(reply);
    return created;
  }

  @Patch('me/passkeys/:id')
  @Route({
    id: 'renamePasskey',
    summary: 'Rename a passkey',
    access: SIGNED_IN,
    body: renamePasskeyRequest,
    answer: passkeyItem,
  })
  rename(
    @Call() context: RequestContext,
    @Param('id') id: string,
    @Body(new ZodPipe('body', renamePasskeyRequest)) body: z.infer<typeof renamePasskeyRequest>,
  ): Promise<PasskeyItem> {
    return this.passkeys.rename(context, id, body.name);
  }

  @Delete('me/passkeys/:id')
  @Route({ id: 'removePasskey', costClass: null, summary: 'Remove a passkey', access: SIGNED_IN })
  remove(@Call() context: RequestContext, @Param('id') id: string): Promise<void> {
    return this.passkeys.remove(context, id);
  }

  @Post('auth/passkey/options')
  @Route({
    id: 'beginPasskeyLogIn',
    summary: 'Start a sign-in with a passkey',
    access: ANYONE,
    answer: passkeyOptions,
  })
  async beginSignIn(
    @Call() context: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const { options, stateToken } = await this.passkeys.beginSignIn(context);
    this.pending.set(reply, stateToken);
    return options;
  }

  @Post('auth/passkey')
  @Route({
    id: 'logInWithPasskey',
    summary: 'Sign in with a passkey. The device has verified its user, so no code is needed',
    access: ANYONE,
    body: passkeySignInRequest,
    answer: sessionResponse,
  })
  async signIn(
    @Call() context: RequestContext,
    @Req() req: FastifyRequest,
    @Body(new ZodPipe('body', passkeySignInRequest)) body: PasskeySignInRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionResponse> {
    const token = req.cookies[this.pending.name];
    const { sessionToken, answer } = await this.passkeys.signIn(context, token, body.response);
    this.cookie.set(reply, sessionToken);
    this.pending.clear(reply);
    return answer;
  }
}
