import { Counter, type Registry } from '@rowhouse/runtime';
import type { IgnoredReason } from './signed-channel.js';

const REASONS: readonly IgnoredReason[] = ['unsigned', 'unknown_key', 'forged', 'malformed'];

/**
 * Counts ignored messages in `change_messages_ignored_total{reason}`. A value above 0 means that another
 * program publishes in Redis, or that processes have different master keys.
 */
export function countIgnored(registry: Registry): (reason: IgnoredReason) => void {
  const ignored = new Counter({
    name: 'change_messages_ignored_total',
    help: 'Messages of the change channel that were not believed',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of REASONS) ignored.labels(reason).inc(0);
  return (reason) => ignored.labels(reason).inc();
}
