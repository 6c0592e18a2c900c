/** An event whose link is valid. */
export interface LinkedEvent {
  readonly seq: number;
  readonly keyId: string;
  readonly action: string;
  readonly target: string;
}

/** Tracks which master key was in force, one event after the other. */
export interface ActiveKeys {
  pass(event: LinkedEvent): void;
  /** Returns the faults as text. Call it after the last event. */
  faults(): string[];
}

export const MASTER_KEY_ROTATED = 'master_key.rotate';

/**
 * Creates the tracker. A replaced key may be known to an attacker, who could truncate the log and continue it
 * under that key. A key is therefore only valid up to the event that declares the next key to be in force.
 * During the rotation, some processes already use the next key, so both are accepted until then.
 *
 * @param current the configured keys, one of which is in force

 *
 * @param hasEarlier whether other keys were in force earlier
 */
export function followKeys(current: readonly string[], hasEarlier: boolean): ActiveKeys {
  let inForce: string | null = null;
  /** The first event under each key that is not in force yet. */
  let early = new Map<string, number>();
  const past = new Set<string>();
  const faults: string[] = [];
  const refuse = (since: ReadonlyMap<string, number>): string[] =>
    [...since].map(
      ([keyId, seq]) => `events from ${seq} on were signed with a master key that was not active (${keyId})`,
    );

  return {
    pass({ seq, keyId, action, target }) {
      inForce ??= keyId;
      if (keyId !== inForce && !early.has(keyId)) early.set(keyId, seq);
      if (action !== MASTER_KEY_ROTATED || target !== keyId) return;
      if (past.has(keyId))
        faults.push(`event ${seq} uses a master key that had already been replaced (${keyId})`);
      early.delete(keyId);
      faults.push(...refuse(early));
      early = new Map();
      if (inForce !== keyId) past.add(inForce);
      inForce = keyId;
    },
    faults() {
      const strangers = new Map([...early].filter(([keyId]) => past.has(keyId) || !current.includes(keyId)));
      const isAfter = hasEarlier && (inForce === null || !current.includes(inForce));
      return [
        ...faults,
        ...refuse(strangers),
        ...(isAfter
          ? ['the log ends before the last change of the master key, so its end was removed or rewritten']
          : []),
      ];
    },
  };
}
