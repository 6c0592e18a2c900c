import { ACK_INTERVAL_MIN_MS, GATEWAY_LEASE_MS } from '@rowhouse/contracts';
import type { GatewayChanges } from '@rowhouse/platform-store';

/**
 * Maintains the lease row of this gateway. It renews the row each second, and writes changed contents at most
 * ten times a second. A worker that publishes a schema waits for the state in this row.
 */
export interface LeaseRenewer {
  /** Reports that the contents of the row may have changed. */
  notify(): void;
  stop(): Promise<void>;
}

export interface LeaseRenewerOptions {
  readonly changes: GatewayChanges;
  readonly gatewayId: string;
  readonly epoch: number;
  readonly address: string;
  readonly readState: () => { readonly appliedThroughSeq: number; readonly exceptions: readonly string[] };
  readonly onFault: (error: unknown) => void;
}

const RENEW_INTERVAL_MS = 1_000;

/** Resolves after the row was written for the first time. */
export async function startLeaseRenewer(options: LeaseRenewerOptions): Promise<LeaseRenewer> {
  let written = '';
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> | null = null;
  let planned: NodeJS.Timeout | null = null;

  function describe(): string {
    const state = options.readState();
    return `${state.appliedThroughSeq} ${state.exceptions.join(' ')}`;
  }

  async function write(): Promise<void> {
    const state = describe();
    const { appliedThroughSeq, exceptions } = options.readState();
    const { gatewayId, epoch, address } = options;
    await options.changes.writeLease({
      gatewayId,
      epoch,
      address,
      appliedThroughSeq,
      exceptions,
      leaseMs: GATEWAY_LEASE_MS,
    });
    written = state;
    writtenAtMs = performance.now();
  }

  function writeSoon(): void {
    if (writing !== null || planned !== null) return;
    const waitMs = writtenAtMs + ACK_INTERVAL_MIN_MS - performance.now();
    if (waitMs > 0) {
      planned = setTimeout(() => {
        planned = null;
        writeSoon();
      }, waitMs);
      return;
    }
    writing = write()
      .catch(options.onFault)
      .finally(() => {
        writing = null;
        if (written !== '' && describe() !== written) setTimeout(writeSoon, ACK_INTERVAL_MIN_MS).unref();
      });
  }

  await write();
  const timer = setInterval(writeSoon, RENEW_INTERVAL_MS);
  return {
    notify: writeSoon,
    async stop() {
      clearInterval(timer);
      if (planned !== null) clearTimeout(planned);
      await writing;
      await options.changes.removeLease(options.gatewayId, options.epoch).catch(options.onFault);
    },
  };
}
