/** How people read the key of a record that stands in an address: `7`, `a b,2`. An address that was typed may be no escape of anything. */
export function toRecordLabel(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
