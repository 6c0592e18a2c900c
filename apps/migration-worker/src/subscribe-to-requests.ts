import { createChangeSubscriber, type ChangeSubscriber, type ChangeSubscriberOptions } from '@rowhouse/queue';
import type { WorkerContext } from './worker-context.js';

/**
 * Subscribes to the requests that gateways and the control plane send to workers. Each request also has a
 * row, so entries and gaps of the change log do not matter here.
 */
export function subscribeToRequests(
  { cellId, signer, countIgnored }: Pick<WorkerContext, 'cellId' | 'signer' | 'countIgnored'>,
  redisUrl: string,
  handlers: Pick<ChangeSubscriberOptions, 'onDetect' | 'onRepair' | 'onValues'>,
): ChangeSubscriber {
  return createChangeSubscriber({
    redisUrl,
    cellId,
    signer,
    onIgnored: countIgnored,
    onEntry: () => undefined,
    onGap: () => undefined,
    ...handlers,
  });
}
