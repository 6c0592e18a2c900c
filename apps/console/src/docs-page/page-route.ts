import { useSyncExternalStore } from 'react';

/** The visible part of the reference. The fragment of the URL stores it. */
export interface PageRoute {
  /** The name of a table or another group. Null shows the overview. */
  readonly group: string | null;
  readonly operation: string | null;
  readonly field: string | null;
}

const OVERVIEW: PageRoute = { group: null, operation: null, field: null };

/** Parses the fragment of a URL, such as `#/posts/listPosts` or `#/posts/fields/title`. */
export function readRoute(hash: string): PageRoute {
  const [start, ...parts] = hash.split('/').map(decode);
  const [group = '', second = '', third = ''] = parts;
  if (start !== '#' || group === '') return OVERVIEW;
  if (second === 'fields' && third !== '') return { group, operation: null, field: third };
  return { group, operation: second === '' ? null : second, field: null };
}

/** Returns the fragment that leads to a part of the reference. */
export function toHash({ group, operation = null, field = null }: Partial<PageRoute>): string {
  if (group === undefined || group === null) return '#/';
  const parts = field !== null ? [group, 'fields', field] : operation === null ? [group] : [group, operation];
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

export function usePageRoute(): PageRoute {
  return readRoute(useSyncExternalStore(subscribe, () => location.hash));
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
