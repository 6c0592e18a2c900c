/**
 * Returns a function that calls `make` once for each object and then returns the stored result. The result
 * lives as long as the object. `make` must depend on nothing but the object, which must not change.
 */
export function memoizeByObject<Key extends object, Result>(
  make: (key: Key) => Result,
): (key: Key) => Result {
  // The wrapper distinguishes a stored `undefined` from a missing result.
  const results = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const found = results.get(key);
    if (found !== undefined) return found.result;
    const result = make(key);
    results.set(key, { result });
    return result;
  };
}
