import type { JsonObject } from './openapi-types.js';

/**
 * Matches names that generators copy into source code without escaping them, and `$ref`, which readers
 * resolve.
 */
const UNFIT = /["'\\\p{Cc}\u2028\u2029]|\*\/|^\$ref$/u;

/**
 * Returns whether client generators can write a member or a parameter with this name. A name that every
 * object has, such as `constructor`, is not fit: TypeScript would reject objects that omit it.
 */
export function isFitName(name: string): boolean {
  return !UNFIT.test(name) && !(name in {});
}

/**
 * Returns the members of an object schema. `required` lists the members that every object has. Names that
 * generators cannot write are matched by a pattern, which generators ignore and validators accept.
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
 * openapi-typescript decodes the names of union members and fails if a percent sign is not part of an
 * escape.
 */
function isFitMember([name, schema]: readonly [string, JsonObject]): boolean {
  const isUnion = schema['anyOf'] !== undefined || schema['oneOf'] !== undefined;
  return isFitName(name) && !(isUnion && name.includes('%'));
}

/**
 * Escapes a name for a pattern: each character other than a letter, digit or underscore becomes a character
 * class.
 */
function escapePattern(name: string): string {
  return name.replace(
    /\W/g,
    (found) => `[${found === '^' || found === ']' || found === '\\' ? `\\${found}` : found}]`,
  );
}
