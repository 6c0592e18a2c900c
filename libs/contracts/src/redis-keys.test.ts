import { describe, expect, it } from 'vitest';
import * as names from './redis-keys.js';

/** Returns the part that determines the slot of a name in a Redis Cluster. */
function tagOf(name: string): string {
  return /\{([^}]+)\}/.exec(name)?.[1] ?? name;
}

describe('names in Redis', () => {
  it('every Redis name of a cell has the hash tag of the cell', () => {
    const builders = Object.entries(names).flatMap(([name, item]) =>
      typeof item === 'function' ? [[name, item] as const] : [],
    );
    expect(builders.length).toBeGreaterThan(8);
    for (const [name, build] of builders) {
      // The names are built from external text, which may contain another hash tag.
      const built = (build as (cellId: string, ...parts: string[]) => string)('c7', '{x}a', '{y}b');
      expect([name, tagOf(built), built.startsWith('{c7}:')]).toEqual([name, 'c7', true]);
    }
  });
});
