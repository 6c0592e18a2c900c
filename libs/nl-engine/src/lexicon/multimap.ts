/** Adds an entry to the list of a key in a map of lists. */
export function pushTo<K, T>(map: Map<K, T[]>, key: K, entry: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [entry]);
  else list.push(entry);
}
