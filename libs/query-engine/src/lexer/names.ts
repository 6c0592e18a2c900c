import type { SqlToken } from '../types.js';

/**
 * Returns a name in the form by which names are compared without case. It applies both case mappings, because
 * a character such as U+017F equals an ASCII letter in only one of them.
 */
export function foldName(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/** Returns the name in a token: a word as it is written, or the content of the backquotes. */
export function nameOf(token: SqlToken): string {
  return token.kind === 'quoted' ? token.value : token.text;
}

export type NameToken = SqlToken & { readonly kind: 'word' | 'quoted' };

/** Reports whether the token can be a name: a word, or a name in backquotes. */
export function isNameToken(token: SqlToken | undefined): token is NameToken {
  return token !== undefined && (token.kind === 'word' || token.kind === 'quoted');
}
