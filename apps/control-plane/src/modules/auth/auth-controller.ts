import { Body, Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import {
  codeRequest,
  loginRequest,
  type CodeRequest,
  type EndedSessionsResponse,
  type ListResponse,
  type LoginRequest,
  type SessionResponse,
  type SessionItem,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANYONE, SIGNED_IN } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { SessionCookie, SignInCookie } from '../../access/session-cookie.js';
import { listOf } from '../../response-schemas/shared.js';
import { endedSessionsResponse, sessionResponse, sessionListItem } from '../../response-schemas/accounts.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { SessionKeyService } from '../keys/session-key-service.js';
import { AuthService } from './auth-service.js';
import { SessionService } from './session-service.js';

@Controller('api')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly sessions: SessionService,
    private readonly sessionKeys: SessionKeyService,
    private readonly cookie: SessionCookie,
    private readonly pending: SignInCookie,
    private readonly audit: AuditWriter,
  ) {}

  @Post('auth/login')
  @Route({
    id: 'logIn',
    summary:
      'Sign in and set the session cookie. With two-factor authentication, the response is 401 ' +
      '`auth.second_factor_required`, and `means` lists what can finish the sign-in',
    access: ANYONE,
    body: loginRequest,
    answer: sessionResponse,
  })
  async logIn(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', loginRequest)) body: LoginRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionResponse> {
    const result = await this.auth.logIn(context, body);
    if (result.kind === 'second_factor') {
      this.pending.set(reply, result.stateToken);
      throw new AppError('auth.second_factor_required', {
        hint: 'Send the code with the cookie of this response to POST /api/auth/second-factor.',
        extra: { means: ['totp', 'recovery_code'] },
      });
    }
    this.cookie.set(reply, result.sessionToken);
    return result.answer;
  }

  @Post('auth/second-factor')
  @Route({
    id: 'completeLogIn',
    summary:
      'Finish a sign-in that was rejected with `auth.second_factor_required`, with a code of the ' +
      'authenticator app or a recovery code. Needs the cookie of that response',
    access: ANYONE,
    body: codeRequest,
    answer: sessionResponse,
  })
  async complete(
    @Call() context: RequestContext,
    @Req() req: FastifyRequest,
    @Body(new ZodPipe('body', codeRequest)) body: CodeRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionResponse> {
    const token = req.cookies[this.pending.name];
    const { sessionToken, answer } = await this.auth.completeLogIn(context, token, body.code);
    this.cookie.set(reply, sessionToken);
    this.pending.clear(reply);
    return answer;
  }

  @Post('auth/logout')
  @Route({ id: 'logOut', costClass: null, summary: 'Sign out', access: SIGNED_IN })
  async logOut(
    @Call() context: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.auth.logOut(context);
    this.cookie.clear(reply);
  }

  @Get('me')
  @Route({
    id: 'getMe',
    summary: 'Get your account, your organizations and the CSRF token of the session',
    access: SIGNED_IN,
    answer: sessionResponse,
  })
  me(@Call() context: RequestContext): Promise<SessionResponse> {
    return this.auth.describe(context);
  }

  @Get('sessions')
  @Route({
    id: 'listSessions',
    summary: 'List your active sessions',
    access: SIGNED_IN,
    answer: listOf(sessionListItem),
  })
  async list(@Call() context: RequestContext): Promise<ListResponse<SessionItem>> {
    const rows = await this.sessions.list(context.accountId);
    const items = rows.map((row) => ({
      id: row.id,
      user_agent: row.userAgent,
      address: row.address,
      created_at: row.createdAt.toISOString(),
      last_seen_at: row.lastSeenAt.toISOString(),
      expires_at: row.expiresAt.toISOString(),
      is_current: row.id === context.caller.sessionId,
    }));
    return { items, next_cursor: null };
  }

  @Delete('sessions')
  @Route({
    id: 'revokeOtherSessions',
    costClass: null,
    summary: 'End all of your sessions except the current one',
    access: SIGNED_IN,
    answer: endedSessionsResponse,
  })
  revokeOthers(@Call() context: RequestContext): Promise<EndedSessionsResponse> {
    return this.auth.endOtherSessions(context);
  }

  @Delete('sessions/:id')
  @Route({ id: 'revokeSession', costClass: null, summary: 'End one of your sessions', access: SIGNED_IN })
  async revoke(@Call() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.audit.changeGlobal(context, { action: 'session.revoke', target: id }, async (manager) => {
      if (!(await this.sessions.revoke(manager, context.accountId, id)))
        throw new AppError('resource.not_found', { detail: 'The session does not exist.' });
    });
    await this.sessionKeys.endSession(id);
  }
}
