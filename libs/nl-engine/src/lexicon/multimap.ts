/** Adds an entry to the list that a map contains for a key. */
export function pushTo<K, T>(map: Map<K, T[]>, key: K, entry: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [entry]);
  else list.push(entry);
}
