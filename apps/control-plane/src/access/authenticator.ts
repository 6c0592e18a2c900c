import { Injectable } from '@nestjs/common';
import { AppError } from '@rowhouse/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionService } from '../modules/auth/session-service.js';
import { TokenService } from '../modules/tokens/token-service.js';
import { createBearerReader, type BearerReader } from './bearer.js';
import type { Caller } from './caller.js';
import { SessionCookie } from './session-cookie.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Identifies the caller by a bearer token, or by the session cookie (with its CSRF token on unsafe methods).
 */
@Injectable()
export class CallerAuthenticator {
  readonly #bearer: BearerReader<Caller>;

  constructor(
    private readonly sessions: SessionService,
    tokens: TokenService,
    private readonly cookie: SessionCookie,
  ) {
    this.#bearer = createBearerReader((token) => tokens.findCaller(token));
  }

  /**
   * Identifies the caller. Returns null for a request without credentials.
   *
   * @throws AppError `auth.*` for invalid credentials
   */
  async findCaller(req: FastifyRequest, reply: FastifyReply): Promise<Caller | null> {
    const byToken = await this.#bearer.read(req.headers.authorization);
    if (byToken === 'malformed')
      throw new AppError('request.bad_header', {
        detail: 'Send Authorization: Bearer <personal access token>.',
      });
    if (byToken === 'invalid') {
      throw new AppError('auth.invalid_key', {
        detail: 'The access token is not valid.',
        headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
      });
    }
    if (byToken !== null) return byToken;
    return this.#findBySession(req, reply);
  }

  async #findBySession(req: FastifyRequest, reply: FastifyReply): Promise<Caller | null> {
    const token = req.cookies[this.cookie.name];
    if (token === undefined || token === '') return null;
    const found = await this.sessions.findSession(token);
    if (found === null) return null;
    if (!SAFE_METHODS.has(req.method)) this.sessions.checkCsrf(found.session, req.headers['x-csrf-token']);
    if (found.isRenewed) this.cookie.set(reply, token);
    return {
      account: found.account,
      via: 'session',
      sessionId: found.session.id,
      sessionToken: token,
      tokenId: null,
    };
  }
}
