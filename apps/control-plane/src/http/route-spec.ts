import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import type { z } from 'zod';
import type { AccessRule } from '../access/access-rule.js';

export const ROUTE_SPEC = 'rowhouse:route';

/**
 * Why a call is heavy. `read`: it loads megabytes of schemas or much of the platform database. `plan`: it
 * keeps a schema in memory while it waits for a worker.
 */
export type Weight = 'read' | 'plan';

/**
 * The declaration of a route: its access rule and the parts of the API description. Required for each
 * handler, checked at startup.
 */
export interface RouteSpec {
  /** A unique name, used as `operationId`. */
  readonly id: string;
  readonly summary: string;
  readonly access: AccessRule;
  readonly body?: z.ZodType;
  readonly query?: z.ZodObject;
  /** The description of an upload body of any length. */
  readonly upload?: string;
  /** The success body. Without it, the status is 204 unless `media` is set. */
  readonly answer?: z.ZodType;
  readonly status?: number;
  /** A second success status with the same body. */
  readonly alsoStatus?: number;
  readonly media?: string;
  /** Set for heavy calls, of which an account may run a few at once. */
  readonly weight?: Weight;
}

/** Declares the route of a handler. */
export function Route(spec: RouteSpec): MethodDecorator {
  return applyDecorators(SetMetadata(ROUTE_SPEC, spec), HttpCode(statusOf(spec)));
}

/** Returns 200 with a body and 204 without, unless the route declares another status. */
export function statusOf(spec: RouteSpec): number {
  return spec.status ?? (spec.answer === undefined && spec.media === undefined ? 204 : 200);
}
