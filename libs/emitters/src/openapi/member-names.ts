import type { JsonObject } from './openapi-types.js';

/**
 * Matches names that client generators copy into source code without an escape. It also matches `$ref`, which
 * readers of the document would resolve.
 */
const UNFIT = /["'\\\p{Cc}\u2028\u2029]|\*\/|^\$ref$/u;

/**
 * Reports whether client generators can handle a member or parameter with this name. They cannot handle a
 * name that every JavaScript object has, such as `constructor`: TypeScript would reject objects that omit it.
 */
export function isFitName(name: string): boolean {
  return !UNFIT.test(name) && !(name in {});
}

/**
 * Returns the members of an object schema. `required` lists the members that every object has. A name that
 * generators cannot handle is matched by a pattern instead, which generators ignore and validators accept.
 */
export function toProperties(
  members: readonly (readonly [string, JsonObject])[],
  required: readonly string[] = [],
): JsonObject {
  const unfit = members.filter((member) => !isFitMember(member)).map(([name]) => name);
  const named = required.filter((name) => !unfit.includes(name));
  return {
    properties: Object.fromEntries(members.filter(isFitMember)),
    ...(named.length === 0 ? {} : { required: named }),
    ...(unfit.length === 0
      ? {}
      : { patternProperties: { [`^(?:${unfit.map(escapePattern).join('|')})$`]: {} } }),
  };
}

/**
 * openapi-typescript decodes the names of members with a union type, and fails if a percent sign in them is
 * not part of an escape.
 */
function isFitMember([name, schema]: readonly [string, JsonObject]): boolean {
  const isUnion = schema['anyOf'] !== undefined || schema['oneOf'] !== undefined;
  return isFitName(name) && !(isUnion && name.includes('%'));
}

/**
 * Escapes a name for a regular expression. Each character other than a letter, digit or underscore becomes a
 * character class.
 */
function escapePattern(name: string): string {
  return name.replace(
    /\W/g,
    (found) => `[${found === '^' || found === ']' || found === '\\' ? `\\${found}` : found}]`,
  );
}
