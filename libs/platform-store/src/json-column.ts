/**
 * Parses the value of a JSON column, which is text in MariaDB and already parsed in MySQL.
 * Returns null for SQL NULL.
 */
export function readJson<T>(value: unknown): T | null {
  if (value === null || value === undefined) return null;
  return (typeof value === 'string' ? JSON.parse(value) : value) as T;
}
