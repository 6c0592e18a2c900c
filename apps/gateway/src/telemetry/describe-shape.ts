/** The minimum duration of recorded requests, because faster ones need no index. */
export const SLOW_MS = 100;

const SHAPE_CHARACTERS_MAX = 300;
/** The query parameters that are not column names. */
const RESERVED = new Set([
  'page',
  'limit',
  'sort',
  'order',
  'include',
  'fields',
  'select',
  'cursor',
  'offset',
  'count',
  'q',
]);
const NAME = /^[a-z]\w*$/i;
/** A sort key with an explicit order of NULL is left out, even when the order is the default. */
const NULLS = /:nulls_/i;

/**
 * Describes a list request by its column names, without values: `where user_id, published sort created_at`.
 * Returns null when the request names none. The names are not checked against the table.
 */
export function describeShape(url: string): string | null {
  const mark = url.indexOf('?');
  if (mark < 0) return null;
  const where = new Set<string>();
  const sort = new Set<string>();
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    if (name === 'sort') {
      for (const key of value.split(','))
        if (NAME.test(toColumn(key)) && !NULLS.test(key)) sort.add(toColumn(key));
    } else if (!RESERVED.has(name) && NAME.test(toColumn(name))) where.add(toColumn(name));
  }
  const parts = [
    ...(where.size === 0 ? [] : [`where ${[...where].join(', ')}`]),
    ...(sort.size === 0 ? [] : [`sort ${[...sort].join(', ')}`]),
  ];
  return parts.length === 0 ? null : parts.join(' ').slice(0, SHAPE_CHARACTERS_MAX);
}

/** Returns the column name: `created_at__gte` and `-created_at` give `created_at`. */
function toColumn(text: string): string {
  return (text.split('__')[0] ?? '').replace(/^[+\-\s]+/, '').replace(/:.*$/, '');
}
