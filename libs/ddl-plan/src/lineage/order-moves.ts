import { RESERVED_PREFIX } from '../retained-name.js';
import type { Move } from './rename-snapshot.js';

/**
 * Orders renames so that they can run one after the other.
 * A cycle is broken with a temporary name that no object can have.
 */
export function orderMoves(moves: readonly Move[]): Move[] {
  const waiting = [...moves];
  const ordered: Move[] = [];
  for (let asides = 0; waiting.length > 0;) {
    const free = waiting.findIndex((move) => !waiting.some((other) => other.from === move.to));
    if (free >= 0) ordered.push(...waiting.splice(free, 1));
    else {
      const [first] = waiting.splice(0, 1) as [Move];
      const asideName = `${RESERVED_PREFIX}aside_${asides}`;
      asides += 1;
      ordered.push({ from: first.from, to: asideName });
      waiting.push({ from: asideName, to: first.to });
    }
  }
  return ordered;
}
