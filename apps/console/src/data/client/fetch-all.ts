import type { ListResponse } from '@rowhouse/contracts';
import { sendRequest } from './send-request.js';

const PAGES_MAX = 20;

/** Loads all items of a short list, such as the keys or connections, page by page. */
export async function fetchAll<T>(path: string): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const response: ListResponse<T> = await sendRequest<ListResponse<T>>('GET', withCursor(path, cursor));
    items.push(...response.items);
    cursor = response.next_cursor ?? null;
    if (cursor === null) break;
  }
  return items;
}

/** Returns the URL of the page after `cursor`. */
export function withCursor(path: string, cursor: string | null): string {
  if (cursor === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
}
