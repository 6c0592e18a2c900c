export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly group: string;
  readonly hint?: string;
  readonly run: () => void;
}

const SHOWN_MAX = 40;

/**
 * Returns the entries that contain every typed word. Those whose label starts with the text come first, and
 * the order is otherwise unchanged.
 */
export function rankEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return entries.slice(0, SHOWN_MAX);
  const words = text.split(/\s+/);
  const fits = entries.filter((entry) => {
    const hay = `${entry.label} ${entry.group} ${entry.hint ?? ''}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  });
  const rank = (entry: PaletteEntry): number =>
    entry.label.toLowerCase().startsWith(text) ? 0 : entry.label.toLowerCase().includes(text) ? 1 : 2;
  return fits.sort((a, b) => rank(a) - rank(b)).slice(0, SHOWN_MAX);
}
