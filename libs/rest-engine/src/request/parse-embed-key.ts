import type { EmbedControl, EmbedOption } from './api-request.js';
import { splitSegments } from './path-segments.js';
import { KEY_LENGTH_MAX, parseFilterKey } from './parse-query-key.js';

export type EmbedKey =
  | { readonly kind: 'embed'; readonly path: readonly string[]; readonly option: EmbedOption }
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string | null };

const HEAD = 'include[';
const CONTROLS: ReadonlySet<string> = new Set([
  'limit',
  'sort',
  'where',
  '_filter',
  '_select',
  '_omit',
  'created_after',
] satisfies EmbedControl[]);

/**
 * Parses a key such as `include[comments.user][limit]`. To filter by a column named like an option, the
 * client adds an operator, such as `limit__eq`.
 */
export function parseEmbedKey(key: string): EmbedKey {
  const read = key.length > KEY_LENGTH_MAX ? null : splitSegments(key, HEAD.length);
  const position = read?.end ?? 0;
  if (read === null || !key.startsWith('][', position) || !key.endsWith(']'))
    return rejected('Write options of an include as include[path][option].', 'include[comments][limit]=5');
  const inner = key.slice(position + 2, -1);
  const path = read.segments.map((segment) => segment.name);
  if (CONTROLS.has(inner))
    return { kind: 'embed', path, option: { kind: 'control', control: inner as EmbedControl } };
  const filter = parseFilterKey(inner);
  if (filter.kind === 'filter') return { kind: 'embed', path, option: filter };
  if (filter.kind === 'reserved') return rejected(`${filter.what} is reserved and cannot be used.`, null);
  return rejected(filter.message, `The options are ${[...CONTROLS].join(', ')}, and filters.`);
}

function rejected(message: string, hint: string | null): EmbedKey {
  return { kind: 'refused', message, hint };
}
