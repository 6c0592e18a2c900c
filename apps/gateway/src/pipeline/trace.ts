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
  rows(count: number): void;
  /** The plan was run a second time on a newer snapshot. */
  replanned(): void;
  read(): TraceNotes;
}

export interface TraceNotes {
  readonly steps: ReadonlyMap<Step, number>;
  readonly tenant: Tenant | null;
  readonly route: string;
  readonly rows: number;
  readonly isReplanned: boolean;
}

export function createTrace(): Trace {
  const startedMs = performance.now();
  const steps = new Map<Step, number>();
  let lastMs = startedMs;
  let tenant: Tenant | null = null;
  let route = '';
  let rows = 0;
  let isReplanned = false;
  return {
    startedMs,
    mark(step) {
      const nowMs = performance.now();
      steps.set(step, (steps.get(step) ?? 0) + nowMs - lastMs);
      lastMs = nowMs;
    },
    tenant: (known) => void (tenant = known),
    route: (name) => void (route = name),
    rows: (count) => void (rows += count),
    replanned: () => void (isReplanned = true),
    read: () => ({ steps, tenant, route, rows, isReplanned }),
  };
}
