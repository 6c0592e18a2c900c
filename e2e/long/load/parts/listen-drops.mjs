// @ts-check
import { readFileSync } from 'node:fs';

/**
 * Returns how many handshakes this system has dropped since its start because the queue of a listening socket
 * was full. Such a client may be reset seconds later. Returns null where the system does not report it.
 * @returns {number | null}
 */
export function readListenDrops() {
  try {
    // A line of names is followed by a line of values.
    const [names, values] = readFileSync('/proc/net/netstat', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('TcpExt:'))
      .map((line) => line.split(/\s+/));
    return Number(values?.[names?.indexOf('ListenOverflows') ?? -1] ?? Number.NaN);
  } catch {
    return null;
  }
}
