import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { loginRequest, type ListAnswer, type LoginRequest, type SessionAnswer, type SessionItem } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { FastifyReply } from 'fastify';
import { ANYONE, SIGNED_IN } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { SessionCookie } from '../../access/session-cookie.js';
import { listOf, sessionAnswer, sessionListItem } from '../../answers/answer-schemas.js';
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
    private readonly audit: AuditWriter,
  ) {}

  @Post('auth/login')
  @Route({ id: 'logIn', summary: 'Sign in; sets the session cookie', access: ANYONE, body: loginRequest, answer: sessionAnswer })
  async logIn(@Call() call: CallContext, @Body(new ZodPipe('body', loginRequest)) body: LoginRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<SessionAnswer> {
    const { sessionToken, answer } = await this.auth.logIn(call, body);
    this.cookie.set(reply, sessionToken);
    return answer;
  }

  @Post('auth/logout')
  @Route({ id: 'logOut', weight: null, summary: 'End this session', access: SIGNED_IN })
  async logOut(@Call() call: CallContext, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.auth.logOut(call);
    this.cookie.clear(reply);
  }

  @Get('me')
  @Route({ id: 'getMe', summary: 'Who is calling, the organizations, and the CSRF token of the session', access: SIGNED_IN, answer: sessionAnswer })
  me(@Call() call: CallContext): Promise<SessionAnswer> {
    return this.auth.describe(call);
  }

  @Get('sessions')
  @Route({ id: 'listSessions', summary: 'The live sessions of the caller', access: SIGNED_IN, answer: listOf(sessionListItem) })
  async list(@Call() call: CallContext): Promise<ListAnswer<SessionItem>> {
    const rows = await this.sessions.list(call.accountId);
    const items = rows.map((row) => ({
      id: row.id,
      user_agent: row.userAgent,
      address: row.address,
      created_at: row.createdAt.toISOString(),
      last_seen_at: row.lastSeenAt.toISOString(),
      expires_at: row.expiresAt.toISOString(),
      is_current: row.id === call.caller.sessionId,
    }));
    return { items, next_cursor: null };
  }

  @Delete('sessions/:id')
  @Route({ id: 'revokeSession', weight: null, summary: 'End a session of the caller', access: SIGNED_IN })
  async revoke(@Call() call: CallContext, @Param('id') id: string): Promise<void> {
    if (!(await this.sessions.revoke(call.accountId, id))) throw new AppError('resource.not_found', { detail: 'There is no such session.' });
    await this.sessionKeys.endSession(id);
    await this.audit.write(call, { action: 'session.revoke', target: id });
  }
}
