/**
 * Returns the typed password, or the one in a pasted connection string. Returns null if that string has no
 * password.
 */
export function readPassword(text: string): string | null {
  const given = text.trim();
  if (!given.startsWith('mysql://')) return given === '' ? null : given;
  if (!URL.canParse(given)) return null;
  const { password } = new URL(given);
  try {
    return password === '' ? null : decodeURIComponent(password);
  } catch {
    return null;
  }
}
