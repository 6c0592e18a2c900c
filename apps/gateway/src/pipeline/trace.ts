import type { Tenant } from '../tenant/tenant.js';

export type Step = 'auth' | 'schema' | 'plan' | 'db' | 'render';

/** What a request leaves behind for its one wide event. Steps write to it; only the observer reads it. */
export interface Trace {
  readonly startedMs: number;
  /** The time since the last mark belongs to this step. */
  mark(step: Step): void;
  tenant(tenant: Tenant): void;
  /** `GET /{table}`, `POST /query`: never with ids in it. */
  route(name: string): void;
  /** The routes of a batch's operations, which are used as if they were called alone. */
  alsoRoutes(names: readonly string[]): void;
  /** What kind of work was planned: `list`, `create`, `select`. */
  plan(kind: string): void;
  rows(count: number): void;
  /** The plan was run a second time on a newer snapshot. */
  replanned(): void;
  read(): TraceNotes;
}

export interface TraceNotes {
  /** Milliseconds by step; a step that did not happen is not there. In the order of the pipeline. */
  readonly steps: Readonly<Partial<Record<Step, number>>>;
  readonly tenant: Tenant | null;
  readonly route: string;
  /** Null: the one route is all. */
  readonly alsoRoutes: readonly string[] | null;
  /** '' before there was a plan. */
  readonly plan: string;
  readonly rows: number;
  readonly isReplanned: boolean;
}

export const STEPS: readonly Step[] = ['auth', 'schema', 'plan', 'db', 'render'];

/** One object a request and no closures: it is made for every one of them. */
class RequestTrace implements Trace {
  readonly startedMs = performance.now();
  readonly #notes: { steps: Partial<Record<Step, number>>; tenant: Tenant | null; route: string; alsoRoutes: readonly string[] | null; plan: string; rows: number; isReplanned: boolean } = {
    steps: { auth: undefined, schema: undefined, plan: undefined, db: undefined, render: undefined } as Partial<Record<Step, number>>,
    tenant: null, route: '', alsoRoutes: null, plan: '', rows: 0, isReplanned: false,
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
