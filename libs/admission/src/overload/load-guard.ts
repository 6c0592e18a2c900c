import { AppError } from '@rowhouse/errors';
import { Counter, Gauge, type Registry } from '@rowhouse/runtime';

/**
 * Prevents an overloaded process from answering everything late. It rejects a share of new requests
 * immediately and cheaply. The share grows with the delay of the event loop, so that admitted requests are
 * answered in time.
 */
export interface LoadGuard {
  /** Decides on a request before any work is done for it. Returns null when the request is admitted. */
  refuse(): AppError | null;
  entered(): void;
  left(): void;
  stop(): void;
}

export interface LoadGuardOptions {
  readonly registry: Registry;
  /** Receives the number of rejected requests from time to time. */
  readonly onShed: (details: {
    readonly refused: number;
    readonly delayMs: number;
    readonly running: number;
  }) => void;
  readonly nowMs?: () => number;
}

const BEAT_MS = 20;
/** After this time without requests the timer stops. */
const REST_AFTER_MS = 1_000;
/** With fewer running requests, their number is not what delays the event loop. */
const RUNNING_MIN = 256;
/** The delay from which some requests are rejected, and the delay at which all are. */
const DELAY_MIN_MS = 150;
const DELAY_MAX_MS = 600;
/** The limit at any delay, because each request takes memory until it is answered. */
export const RUNNING_MAX = 4_096;
const REPORT_INTERVAL_MS = 5_000;

export function createLoadGuard({
  registry,
  onShed,
  nowMs = () => performance.now(),
}: LoadGuardOptions): LoadGuard {
  const shed = new Counter({
    name: 'gateway_shed_total',
    help: 'Requests refused because the process did not keep up',
    registers: [registry],
  });
  let beatMs = nowMs();
  let smoothedMs = 0;
  let running = 0;
  let owed = 0;
  let rejected = 0;
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  /** Null while the guard is inactive. */
  let timer: NodeJS.Timeout | null = null;
  let busyAtMs = nowMs();

  /** Returns the current or recent delay of the timer, whichever is larger. */
  const delayMs = (): number => (timer === null ? 0 : Math.max(smoothedMs, nowMs() - beatMs - BEAT_MS));
  const describe = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  describe(
    'gateway_event_loop_delay_seconds',
    'By how much a timer comes late',
    () => Math.max(0, delayMs()) / 1_000,
  );
  describe('gateway_requests_running', 'Requests under way', () => running);

  function renew(): void {
    const late = nowMs() - beatMs - BEAT_MS;
    beatMs = nowMs();
    smoothedMs = Math.max(0, late, smoothedMs * 0.7);
    if (running > 0) busyAtMs = beatMs;
    else if (rejected === 0 && beatMs - busyAtMs >= REST_AFTER_MS) return pause();
    if (rejected === 0 || beatMs - reportedAtMs < REPORT_INTERVAL_MS) return;
    reportedAtMs = beatMs;
    onShed({ refused: rejected, delayMs: Math.round(late), running });
    rejected = 0;
  }

  /** Returns the share of new requests to reject while many are running: 0 admits all, 1 none. */
  function shareToRefuse(): number {
    if (running >= RUNNING_MAX) return 1;
    return Math.min(1, Math.max(0, (delayMs() - DELAY_MIN_MS) / (DELAY_MAX_MS - DELAY_MIN_MS)));
  }

  function notify(): void {
    [beatMs, busyAtMs, smoothedMs] = [nowMs(), nowMs(), 0];
    timer = setInterval(renew, BEAT_MS);
    timer.unref();
  }

  function pause(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  return {
    refuse() {
      if (running < RUNNING_MIN) return null;
      owed += shareToRefuse();
      if (owed < 1) return null;
      owed -= 1;
      rejected += 1;
      shed.inc();
      // Different times prevent all clients from retrying at the same moment.
      return new AppError('limit.busy', {
        retryAfterSeconds: 1 + (rejected % 3),
        detail: 'The gateway receives more requests than it can serve in time.',
        internal: 'shed',
      });
    },
    entered() {
      running += 1;
      if (timer === null) notify();
    },
    left() {
      running -= 1;
    },
    stop: pause,
  };
}
