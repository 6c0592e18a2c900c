/**
 * JSON with the members of every object in code-unit order and without blanks: equal values give equal text,
 * so a hash over it names the content. Members that are undefined are left out, as JSON.stringify does.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (isPlainObject(member) ? sortMembers(member) : member));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `fromEntries` defines members, so a table or column called `__proto__` stays an ordinary member. */
function sortMembers(value: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}
