/** An event of the log whose link fits. */
export interface LinkedEvent {
  readonly seq: number;
  readonly keyId: string;
  readonly action: string;
  readonly target: string;
}

/** Follows which master key was in force, event by event. */
export interface KeysInForce {
  pass(event: LinkedEvent): void;
  /** In words; to be asked behind the last event. */
  faults(): string[];
}

export const MASTER_KEY_ROTATED = 'master_key.rotate';

/**
 * A key that was changed may be in somebody else's hands: he could cut the log off and go on writing under it. So a key
 * counts for the events up to the one that says, under the next key, that it is in force now. While processes change over
 * one by one some link under the next key already: until then either is good.
 * @param current keys at hand, among them the one in force
 * @param hasEarlier there were others before
 */
export function followKeys(current: readonly string[], hasEarlier: boolean): KeysInForce {
  let inForce: string | null = null;
  /** The first event under each key that is not in force yet. */
  let early = new Map<string, number>();
  const past = new Set<string>();
  const faults: string[] = [];
  const refuse = (since: ReadonlyMap<string, number>): string[] => [...since].map(([keyId, seq]) => `events from ${seq} on were linked under a master key that was not in force (${keyId})`);

  return {
    pass({ seq, keyId, action, target }) {
      inForce ??= keyId;
      if (keyId !== inForce && !early.has(keyId)) early.set(keyId, seq);
      if (action !== MASTER_KEY_ROTATED || target !== keyId) return;
      if (past.has(keyId)) faults.push(`event ${seq} says of a master key that was changed before that it is in force (${keyId})`);
      early.delete(keyId);
      faults.push(...refuse(early));
      early = new Map();
      if (inForce !== keyId) past.add(inForce);
      inForce = keyId;
    },
    faults() {
      const strangers = new Map([...early].filter(([keyId]) => past.has(keyId) || !current.includes(keyId)));
      const isBehind = hasEarlier && (inForce === null || !current.includes(inForce));
      return [...faults, ...refuse(strangers), ...(isBehind ? ['the log ends before the master key was changed last: its end was cut off or written anew'] : [])];
    },
  };
}
