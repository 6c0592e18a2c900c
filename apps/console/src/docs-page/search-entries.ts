import type { ApiReference } from '@rowhouse/emitters/reference';
import { toHash } from './page-route.js';

export interface SearchEntry {
  readonly kind: 'Table' | 'Endpoints' | 'Operation' | 'Column';
  readonly label: string;
  readonly note: string;
  readonly hash: string;
}

const FOUND_MAX = 30;

/** Lists what the search can find: tables, operations and columns. */
export function listSearchEntries({ groups }: ApiReference): SearchEntry[] {
  const tables = groups.map(({ name, isTable }): SearchEntry => ({
    kind: isTable ? 'Table' : 'Endpoints',
    label: name,
    note: '',
    hash: toHash({ group: name }),
  }));
  const operations = groups.flatMap(({ name, operations: own }) =>
    own.map(({ id, method, path, summary }): SearchEntry => ({
      kind: 'Operation',
      label: summary,
      note: `${method} ${path}`,
      hash: toHash({ group: name, operation: id }),
    })),
  );
  const columns = groups
    .filter(({ isTable }) => isTable)
    .flatMap(({ name, fields }) =>
      fields.map((field): SearchEntry => ({
        kind: 'Column',
        label: `${name}.${field.name}`,
        note: field.type,
        hash: toHash({ group: name, field: field.name }),
      })),
    );
  return [...tables, ...operations, ...columns];
}

/** Returns the entries that contain every word of the text. Those that start with the text come first. */
export function findEntries(entries: readonly SearchEntry[], text: string): SearchEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const start = text.trim().toLowerCase();
  const found = entries.filter(({ label, note }) => {
    const content = `${label} ${note}`.toLowerCase();
    return words.every((word) => content.includes(word));
  });
  const rank = ({ label }: SearchEntry): number => (label.toLowerCase().startsWith(start) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, FOUND_MAX);
}
