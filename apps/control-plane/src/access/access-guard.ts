import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { isRoleAtLeast } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ROUTE_SPEC, type RouteSpec } from '../http/route-spec.js';
import type { AccessRule } from './access-rule.js';
import { CallerAuthenticator } from './authenticator.js';
import type { Caller } from './caller.js';
import { ReachFinder } from './reach-finder.js';

/** Denies every request unless the declared rule of its route admits the caller. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: CallerAuthenticator,
    private readonly reachFinder: ReachFinder,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const req = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const spec = this.reflector.get<RouteSpec | undefined>(ROUTE_SPEC, context.getHandler());
    if (spec === undefined)
      throw new AppError('internal.defect', { internal: 'a route without an access rule was called' });
    if (spec.access.kind === 'public') {
      // On these routes, an invalid credential or a missing CSRF token only means that the caller is
      // anonymous.
      if (spec.access.knowsCaller === true)
        req.caller = await this.authenticator.findCaller(req, reply).catch(() => null);
      return true;
    }
    req.caller = await this.authenticator.findCaller(req, reply);
    if (req.caller === null) {
      throw new AppError('auth.missing_session', { headers: { 'www-authenticate': 'Bearer' } });
    }
    await this.#checkRule(spec.access, req, req.caller);
    return true;
  }

  async #checkRule(rule: AccessRule, req: FastifyRequest, caller: Caller): Promise<void> {
    if (rule.kind === 'operator' && !caller.account.isOperator) {
      throw new AppError('auth.role', { detail: 'Only the operator of this installation may do this.' });
    }
    if (rule.kind !== 'role') return;
    const id = (req.params as Record<string, string>)[rule.param ?? 'id'] ?? '';
    const reach = await this.reachFinder.find(rule.on, id, caller.account.id, rule.deleted === true);
    // The same error for a missing resource, so strangers learn nothing.
    if (reach === null) throw new AppError('resource.not_found', { detail: `There is no such ${rule.on}.` });
    if (!isRoleAtLeast(reach.role, rule.least)) {
      throw new AppError('auth.role', {
        detail: `This needs the role ${rule.least}; yours is ${reach.role}.`,
      });
    }
    req.reach = reach;
  }
}
