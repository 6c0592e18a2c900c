/**
 * Returns the key of a record in a URL in readable form, such as `7` or `a b,2`. A typed URL may contain
 * invalid escapes.
 */
export function toRecordLabel(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
