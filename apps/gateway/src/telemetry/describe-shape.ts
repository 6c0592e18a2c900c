/** Only requests that took so long are described: the others need no index. */
export const SLOW_MS = 100;

const SHAPE_CHARACTERS_MAX = 300;
/** Parameters that name no column. */
const RESERVED = new Set(['page', 'limit', 'sort', 'order', 'include', 'fields', 'select', 'cursor', 'offset', 'count', 'q']);
const NAME = /^[a-z]\w*$/i;
/** A key that has NULL at the end where no index has it is left out; one that says what is so anyway, too. */
const NULLS = /:nulls_/i;

/**
 * What a list was asked by, as names of columns and without a value: `where user_id, published sort created_at`. Null when
 * it names none. Whether they are columns of the table, the reader knows.
 */
export function describeShape(url: string): string | null {
  const mark = url.indexOf('?');
  if (mark < 0) return null;
  const where = new Set<string>();
  const sort = new Set<string>();
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    if (name === 'sort') {
      for (const key of value.split(',')) if (NAME.test(toColumn(key)) && !NULLS.test(key)) sort.add(toColumn(key));
    } else if (!RESERVED.has(name) && NAME.test(toColumn(name))) where.add(toColumn(name));
  }
  const parts = [...(where.size === 0 ? [] : [`where ${[...where].join(', ')}`]), ...(sort.size === 0 ? [] : [`sort ${[...sort].join(', ')}`])];
  return parts.length === 0 ? null : parts.join(' ').slice(0, SHAPE_CHARACTERS_MAX);
}

/** `created_at__gte` and `-created_at` are `created_at`. */
function toColumn(text: string): string {
  return (text.split('__')[0] ?? '').replace(/^[+\-\s]+/, '').replace(/:.*$/, '');
}
