// @ts-check
import { readFileSync } from 'node:fs';

/**
 * How many handshakes this system has dropped since it started because a listening socket's queue was full: such a
 * client may be reset seconds later. Null where the system does not tell.
 * @returns {number | null}
 */
export function readListenDrops() {
  try {
    // A line of names, and a line of values behind it.
    const [names, values] = readFileSync('/proc/net/netstat', 'utf8').split('\n').filter((line) => line.startsWith('TcpExt:')).map((line) => line.split(/\s+/));
    return Number(values?.[names?.indexOf('ListenOverflows') ?? -1] ?? Number.NaN);
  } catch {
    return null;
  }
}
