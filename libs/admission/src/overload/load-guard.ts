import { AppError } from '@rowhouse/errors';
import { Counter, registerGauge, type Registry } from '@rowhouse/runtime';

/**
 * Protects a process from overload. It rejects a share of new requests at almost no cost, so that accepted
 * requests are served in time. The share increases with the delay of the event loop.
 */
export interface LoadGuard {
  /** Decides about a request before any work is done for it. Returns null if the request is accepted. */
  reject(): AppError | null;
  /** Counts an accepted request as running until `left` is called. */
  entered(): void;
  left(): void;
  stop(): void;
}

export interface LoadGuardOptions {
  readonly registry: Registry;
  /** Called at most once in five seconds while requests are rejected. The details are logged. */
  readonly onShed: (details: {
    /** The number of requests rejected since the last call. */
    readonly rejected: number;
    readonly delayMs: number;
    readonly running: number;
  }) => void;
  readonly nowMs?: () => number;
}

const BEAT_MS = 20;
/** The time without requests in milliseconds after which the timer stops. */
const REST_AFTER_MS = 1_000;
/**
 * The number of running requests below which none is rejected. So few requests are not the cause of the
 * delay.
 */
const RUNNING_MIN = 256;
/** The delay in milliseconds above which some requests are rejected, and the delay above which all are. */
const DELAY_MIN_MS = 150;
const DELAY_MAX_MS = 600;
/** The maximum number of running requests, whatever the delay, because each request takes memory. */
export const RUNNING_MAX = 4_096;
const REPORT_INTERVAL_MS = 5_000;

export function createLoadGuard({
  registry,
  onShed,
  nowMs = () => performance.now(),
}: LoadGuardOptions): LoadGuard {
  const shed = new Counter({
    name: 'gateway_shed_total',
    help: 'Requests rejected because the process was overloaded',
    registers: [registry],
  });
  let beatMs = nowMs();
  let smoothedMs = 0;
  let running = 0;
  /** The sum of the shares to reject, over the past requests. When it reaches 1, a request is rejected. */
  let due = 0;
  let rejected = 0;
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  /** The timer that measures the delay. Null while no request is running. */
  let timer: NodeJS.Timeout | null = null;
  let busyAtMs = nowMs();

  /** Returns the timer's current delay or its smoothed recent delay. The larger one is used. */
  const delayMs = (): number => (timer === null ? 0 : Math.max(smoothedMs, nowMs() - beatMs - BEAT_MS));
  registerGauge(
    registry,
    'gateway_event_loop_delay_seconds',
    'The delay of a timer',
    () => Math.max(0, delayMs()) / 1_000,
  );
  registerGauge(registry, 'gateway_requests_running', 'Requests in progress', () => running);

  function beat(): void {
    const late = nowMs() - beatMs - BEAT_MS;
    beatMs = nowMs();
    smoothedMs = Math.max(0, late, smoothedMs * 0.7);
    if (running > 0) busyAtMs = beatMs;
    else if (rejected === 0 && beatMs - busyAtMs >= REST_AFTER_MS) return stopTimer();
    if (rejected === 0 || beatMs - reportedAtMs < REPORT_INTERVAL_MS) return;
    reportedAtMs = beatMs;
    onShed({ rejected, delayMs: Math.round(late), running });
    rejected = 0;
  }

  /** Returns the share of new requests to reject: 0 accepts all requests, and 1 rejects all. */
  function shareToReject(): number {
    if (running >= RUNNING_MAX) return 1;
    return Math.min(1, Math.max(0, (delayMs() - DELAY_MIN_MS) / (DELAY_MAX_MS - DELAY_MIN_MS)));
  }

  function startTimer(): void {
    [beatMs, busyAtMs, smoothedMs] = [nowMs(), nowMs(), 0];
    timer = setInterval(beat, BEAT_MS);
    timer.unref();
  }

  function stopTimer(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  return {
    reject() {
      if (running < RUNNING_MIN) return null;
      due += shareToReject();
      if (due < 1) return null;
      due -= 1;
      rejected += 1;
      shed.inc();
      // Clients receive different retry times, so that they do not all retry at the same moment.
      return new AppError('limit.busy', {
        retryAfterSeconds: 1 + (rejected % 3),
        detail: 'The gateway receives more requests than it can serve in time.',
        internal: 'shed',
      });
    },
    entered() {
      running += 1;
      if (timer === null) startTimer();
    },
    left() {
      running -= 1;
    },
    stop: stopTimer,
  };
}
