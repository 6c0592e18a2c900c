/** The password that somebody typed, or that of the connection string that they pasted; null: it has none. */
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
