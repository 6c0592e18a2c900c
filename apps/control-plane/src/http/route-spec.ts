import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import type { z } from 'zod';
import type { AccessRule } from '../access/access-rule.js';

export const ROUTE_SPEC = 'rowhouse:route';

/**
 * The cost class of a request. `read`: it reads megabytes of schemas or much of the platform database.
 * `plan`: it keeps a schema in memory while it waits for a worker. `light`: it runs some statements in the
 * platform database.
 */
export type CostClass = 'light' | 'read' | 'plan';

/**
 * The declaration of a route: its access rule and its parts of the API description. Each handler must have
 * one, which is checked at startup.
 */
export interface RouteSpec {
  /** A unique name, used as `operationId`. */
  readonly id: string;
  readonly summary: string;
  readonly access: AccessRule;
  readonly body?: z.ZodType;
  readonly query?: z.ZodObject;
  /** The description of an upload body, whose length is not limited. */
  readonly upload?: string;
  /** The schema of the success body. Without a schema, the status is 204 unless `media` is set. */
  readonly answer?: z.ZodType;
  readonly status?: number;
  /** A second success status with the same body. */
  readonly alsoStatus?: number;
  readonly media?: string;
  /**
   * The class that limits how many requests an account may run at the same time; `light` by default. Null
   * means no limit. Streams have no limit, because they would hold a slot for a long time. Revocations have
   * none, because they must not wait for requests that use the revoked credential.
   */
  readonly costClass?: CostClass | null;
}

/** Declares the route of a handler. */
export function Route(spec: RouteSpec): MethodDecorator {
  return applyDecorators(SetMetadata(ROUTE_SPEC, spec), HttpCode(statusOf(spec)));
}

/** Returns the status that the route declares; otherwise 200 with a body and 204 without. */
export function statusOf(spec: RouteSpec): number {
  return spec.status ?? (spec.answer === undefined && spec.media === undefined ? 204 : 200);
}
