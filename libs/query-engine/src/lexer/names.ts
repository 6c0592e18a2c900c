import type { SqlToken } from '../types.js';

/**
 * Returns the case-insensitive form. It applies both mappings, because characters such as U+017F equal ASCII
 * letters in only one of them.
 */
export function foldName(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/** Returns a word or backquoted name as written. */
export function nameOf(token: SqlToken): string {
  return token.kind === 'quoted' ? token.value : token.text;
}

export type NameToken = SqlToken & { readonly kind: 'word' | 'quoted' };

/** Returns whether the token can be a name: a word, or a name in backquotes. */
export function isNameToken(token: SqlToken | undefined): token is NameToken {
  return token !== undefined && (token.kind === 'word' || token.kind === 'quoted');
}
