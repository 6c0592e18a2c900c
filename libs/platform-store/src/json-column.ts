/** A json column's value: MariaDB hands out text, MySQL the parsed value. Null for SQL NULL. */
export function readJson<T>(value: unknown): T | null {
  if (value === null || value === undefined) return null;
  return (typeof value === 'string' ? JSON.parse(value) : value) as T;
}
