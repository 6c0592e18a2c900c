import { Body, Controller, Post, Res } from '@nestjs/common';
import { signupRequest, type SignupResponse, type SignupRequest } from '@rowhouse/contracts';
import type { FastifyReply } from 'fastify';
import { ANYONE } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { SessionCookie } from '../../access/session-cookie.js';
import { signupResponse } from '../../response-schemas/accounts.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { SignupService } from './signup-service.js';

@Controller('api/auth')
export class SignupController {
  constructor(
    private readonly signups: SignupService,
    private readonly cookie: SessionCookie,
  ) {}

  @Post('signup')
  @Route({
    id: 'signUp',
    access: ANYONE,
    body: signupRequest,
    answer: signupResponse,
    status: 201,
    alsoStatus: 202,
    summary:
      'Create an account with an organization, a first project and a first key. Returns 202 with ' +
      '`migrations` while the starter is being deployed',
  })
  async signUp(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', signupRequest)) body: SignupRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignupResponse> {
    const { sessionToken, answer, isLive } = await this.signups.signUp(context, body);
    this.cookie.set(reply, sessionToken);
    if (!isLive) reply.status(202);
    return answer;
  }
}
