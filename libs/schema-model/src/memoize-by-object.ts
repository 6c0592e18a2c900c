/**
 * Returns a function that calls `make` once for each object and stores the result as long as the object
 * exists. `make` must depend only on the object, which must not change.
 */
export function memoizeByObject<Key extends object, Result>(
  make: (key: Key) => Result,
): (key: Key) => Result {
  // The wrapper object distinguishes a stored `undefined` from a result that is not stored.
  const results = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const found = results.get(key);
    if (found !== undefined) return found.result;
    const result = make(key);
    results.set(key, { result });
    return result;
  };
}
