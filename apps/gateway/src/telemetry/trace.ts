import type { AppError } from '@rowhouse/errors';
import type { Tenant } from '../tenant/tenant.js';

/** One finished request. */
export interface Observation {
  readonly requestId: string;
  readonly method: string;
  /** The URL as sent, including values. Use it only for output without values. */
  readonly url: string;
  readonly status: number;
  readonly error: AppError | null;
  readonly durationMs: number;
  /** The size of the body as sent. */
  readonly bytes: number;
  readonly notes: TraceNotes;
}

export type Step = 'auth' | 'schema' | 'plan' | 'db' | 'render';

/** Collects the notes for the log of a request. The stages write to it, and only `observe` reads it. */
export interface Trace {
  readonly startedMs: number;
  /** Records the time since the last mark as the time of this step. */
  mark(step: Step): void;
  tenant(tenant: Tenant): void;
  /** Sets the route, for example `GET /{table}` or `POST /query`. It never contains ids. */
  route(name: string): void;
  /** Sets the routes of a batch's operations, which are counted like separate requests. */
  alsoRoutes(names: readonly string[]): void;
  /** Sets the kind of the plan, for example `list`, `create` or `select`. */
  plan(kind: string): void;
  rows(count: number): void;
  /** Records that the request ran a second time on a newer snapshot. */
  replanned(): void;
  read(): TraceNotes;
}

export interface TraceNotes {
  /** The milliseconds of each step, in the order of the pipeline. Steps that did not happen are missing. */
  readonly steps: Readonly<Partial<Record<Step, number>>>;
  readonly tenant: Tenant | null;
  readonly route: string;
  /** Additional routes, as in a batch. Null if there is only one route. */
  readonly alsoRoutes: readonly string[] | null;
  /** Empty before planning. */
  readonly plan: string;
  readonly rows: number;
  readonly isReplanned: boolean;
}

export const STEPS: readonly Step[] = ['auth', 'schema', 'plan', 'db', 'render'];

/** The class uses no closures, because an object is created for each request. */
class RequestTrace implements Trace {
  readonly startedMs = performance.now();
  readonly #notes: {
    steps: Partial<Record<Step, number>>;
    tenant: Tenant | null;
    route: string;
    alsoRoutes: readonly string[] | null;
    plan: string;
    rows: number;
    isReplanned: boolean;
  } = {
    steps: {
      auth: undefined,
      schema: undefined,
      plan: undefined,
      db: undefined,
      render: undefined,
    } as Partial<Record<Step, number>>,
    tenant: null,
    route: '',
    alsoRoutes: null,
    plan: '',
    rows: 0,
    isReplanned: false,
  };
  #lastMs = this.startedMs;

  mark(step: Step): void {
    const nowMs = performance.now();
    const { steps } = this.#notes;
    steps[step] = (steps[step] ?? 0) + nowMs - this.#lastMs;
    this.#lastMs = nowMs;
  }

  tenant(tenant: Tenant): void {
    this.#notes.tenant = tenant;
  }

  route(name: string): void {
    this.#notes.route = name;
  }

  alsoRoutes(names: readonly string[]): void {
    this.#notes.alsoRoutes = names;
  }

  plan(kind: string): void {
    this.#notes.plan = kind;
  }

  rows(count: number): void {
    this.#notes.rows += count;
  }

  replanned(): void {
    this.#notes.isReplanned = true;
  }

  read(): TraceNotes {
    return this.#notes;
  }
}

export function createTrace(): Trace {
  return new RequestTrace();
}
