import type { AppError } from '@rowhouse/errors';
import { Counter, Histogram, type EventLog, type Registry } from '@rowhouse/runtime';
import type { Telemetry } from '../telemetry/telemetry.js';
import { writeRequestEvent } from './request-event.js';
import { STEPS, type TraceNotes } from './trace.js';

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

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export type Observe = (observation: Observation) => void;

/**
 * Step 10: writes one wide log line, the metrics and the tenant's usage. None of them contains keys, values
 * or users' texts.
 */
export function createObserver(events: EventLog, registry: Registry, telemetry: Telemetry): Observe {
  const requests = new Counter({
    name: 'gateway_requests_total',
    help: 'Requests by status class',
    labelNames: ['method', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'gateway_request_seconds',
    help: 'Time from first byte to answer',
    labelNames: ['method'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  /** Caches labeled metrics, because looking one up costs more than counting it. */
  const figures = new Map<
    string,
    { readonly count: Counter.Internal; readonly time: Histogram.Internal<'method'> }[]
  >();
  const figuresOf = (
    method: string,
    status: number,
  ): { readonly count: Counter.Internal; readonly time: Histogram.Internal<'method'> } => {
    const known = METHODS.has(method) ? method : 'other';
    const statusClass = Math.floor(status / 100);
    let ofMethod = figures.get(known);
    if (ofMethod === undefined) figures.set(known, (ofMethod = []));
    return (ofMethod[statusClass] ??= {
      count: requests.labels(known, `${statusClass}xx`),
      time: seconds.labels(known),
    });
  };
  const isInfoLogged = events.isEnabled('info');
  const isErrorLogged = events.isEnabled('error');
  return (observation) => {
    const { method, status, durationMs, notes } = observation;
    const { count, time } = figuresOf(method, status);
    count.inc();
    time.observe(durationMs / 1_000);
    if (notes.tenant !== null) telemetry.note(observation, notes.tenant);
    if (status >= 500 ? isErrorLogged : isInfoLogged)
      events.write(status >= 500 ? 'error' : 'info', writeRequestEvent(observation));
  };
}

/** Formats the steps as a `Server-Timing` header: `auth;dur=0.02, db;dur=1.31, total;dur=1.52`. */
export function toServerTiming(notes: TraceNotes, totalMs: number): string {
  let text = '';
  for (const step of STEPS) {
    const ms = notes.steps[step];
    if (ms !== undefined) text += `${step};dur=${toHundredths(ms)}, `;
  }
  return `${text}total;dur=${toHundredths(totalMs)}`;
}

/** Equals `toFixed(2)` at half the cost. */
function toHundredths(ms: number): string {
  const hundredths = Math.round(ms * 100);
  const rest = hundredths % 100;
  return `${(hundredths - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`;
}
