/**
 * Returns the typed password, or the one in a pasted connection string. Returns null if that string has no
 * password.
 */
export function readPassword(text: string): string | null {
  const provided = text.trim();
  if (!provided.startsWith('mysql://')) return provided === '' ? null : provided;
  if (!URL.canParse(provided)) return null;
  const { password } = new URL(provided);
  try {
    return password === '' ? null : decodeURIComponent(password);
  } catch {
    return null;
  }
}
