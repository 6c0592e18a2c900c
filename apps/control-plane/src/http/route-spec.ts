import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import type { z } from 'zod';
import type { AccessRule } from '../access/access-rule.js';

export const ROUTE_SPEC = 'rowhouse:route';

/**
 * The cost of a call. `read`: it loads megabytes of schemas or much of the platform database. `plan`: it
 * keeps a schema in memory while it waits for a worker. `light`: it runs some statements in the platform
 * database.
 */
export type CostClass = 'light' | 'read' | 'plan';

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
  /**
   * Limits how many calls an account may run at once; `light` by default. Null: no limit, since a stream
   * would hold its slot for long, and revoking a credential must not wait for calls that are made with it.
   */
  readonly costClass?: CostClass | null;
}

/** Declares the route of a handler. */
export function Route(spec: RouteSpec): MethodDecorator {
  return applyDecorators(SetMetadata(ROUTE_SPEC, spec), HttpCode(statusOf(spec)));
}

/** Returns 200 with a body and 204 without, unless the route declares another status. */
export function statusOf(spec: RouteSpec): number {
  return spec.status ?? (spec.answer === undefined && spec.media === undefined ? 204 : 200);
}
