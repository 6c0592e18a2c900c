import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import type { z } from 'zod';
import type { AccessRule } from '../access/access-rule.js';

export const ROUTE_SPEC = 'rowhouse:route';

/**
 * What makes a call heavy. `read`: it makes megabytes of schemas, or looks through much of the platform database. `plan`: it
 * holds a schema in memory while a worker is waited for.
 */
export type Weight = 'read' | 'plan';

/** What a route says of itself: its access rule and all that the API description needs. One per handler, proved at boot. */
export interface RouteSpec {
  /** A unique name: the `operationId`. */
  readonly id: string;
  readonly summary: string;
  readonly access: AccessRule;
  readonly body?: z.ZodType;
  readonly query?: z.ZodObject;
  /** The body is an upload of any length; what it holds, in words. */
  readonly upload?: string;
  /** The success body; none means 204 unless `media` says otherwise. */
  readonly answer?: z.ZodType;
  readonly status?: number;
  /** A second success status with the same body. */
  readonly alsoStatus?: number;
  readonly media?: string;
  /** A few of an account are at work at once; none: it is light. */
  readonly weight?: Weight;
}

/** Declares a handler's route. */
export function Route(spec: RouteSpec): MethodDecorator {
  return applyDecorators(SetMetadata(ROUTE_SPEC, spec), HttpCode(statusOf(spec)));
}

/** 200 with a body, 204 without, unless the route says otherwise. */
export function statusOf(spec: RouteSpec): number {
  return spec.status ?? (spec.answer === undefined && spec.media === undefined ? 204 : 200);
}
