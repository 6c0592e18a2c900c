import { Injectable } from '@nestjs/common';
import { isRoleAtLeast } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessRule } from './access-rule.js';
import { CallerAuthenticator } from './authenticator.js';
import type { Caller } from './caller.js';
import { ReachFinder } from './reach-finder.js';

/** Checks a request against the access rule of its route, and sets its `caller` and `reach`. */
@Injectable()
export class AccessCheck {
  constructor(
    private readonly authenticator: CallerAuthenticator,
    private readonly reachFinder: ReachFinder,
  ) {}

  /** Throws `auth.*` or `resource.not_found` if the rule does not admit the caller now. */
  async assertAdmitted(rule: AccessRule, req: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (rule.kind === 'public') {
      if (rule.knowsCaller === true)
        req.caller = await this.authenticator.findCaller(req, reply).catch((error: unknown) => {
          // On a public route, an invalid credential or a missing CSRF token makes the caller anonymous.
          if (isCredentialError(error)) return null;
          throw error;
        });
      return;
    }
    req.caller = await this.authenticator.findCaller(req, reply);
    if (req.caller === null) {
      throw new AppError('auth.missing_session', { headers: { 'www-authenticate': 'Bearer' } });
    }
    await this.#checkRule(rule, req, req.caller);
  }

  async #checkRule(rule: AccessRule, req: FastifyRequest, caller: Caller): Promise<void> {
    if (rule.kind === 'operator' && !caller.account.isOperator) {
      throw new AppError('auth.role', { detail: 'Only the operator of this installation can do this.' });
    }
    if (rule.kind !== 'role') return;
    const id = (req.params as Record<string, string>)[rule.param ?? 'id'] ?? '';
    const reach = await this.reachFinder.find(rule.on, id, caller.account.id, rule.deleted === true);
    // A caller without access gets the same error whether the resource exists or not.
    if (reach === null)
      throw new AppError('resource.not_found', { detail: `The ${rule.on} does not exist.` });
    if (!isRoleAtLeast(reach.role, rule.least)) {
      throw new AppError('auth.role', {
        detail: `This requires the role ${rule.least}. Your role is ${reach.role}.`,
      });
    }
    req.reach = reach;
  }
}

function isCredentialError(error: unknown): boolean {
  return error instanceof AppError && (error.code.startsWith('auth.') || error.code === 'request.bad_header');
}
