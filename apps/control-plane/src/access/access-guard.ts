import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '@rowhouse/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ROUTE_SPEC, type RouteSpec } from '../http/route-spec.js';
import { AccessCheck } from './access-check.js';

/** Denies a request unless the rule that its route declares admits the caller. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly access: AccessCheck,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const spec = this.reflector.get<RouteSpec | undefined>(ROUTE_SPEC, context.getHandler());
    if (spec === undefined)
      throw new AppError('internal.defect', { internal: 'a route without an access rule was called' });
    await this.access.assertAdmitted(
      spec.access,
      http.getRequest<FastifyRequest>(),
      http.getResponse<FastifyReply>(),
    );
    return true;
  }
}
