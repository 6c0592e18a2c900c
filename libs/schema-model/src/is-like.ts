const ONE_CHARACTER = Symbol('one character');
const ANY_CHARACTERS = Symbol('any characters');

/**
 * Reports whether a text matches an SQL LIKE pattern, ignoring case. `%` matches any characters, `_` matches
 * one, and `\` escapes both. The time is at most proportional to the product of the two lengths. A regular
 * expression could take exponential time for several wildcards.
 */
export function isLike(text: string, pattern: string): boolean {
  const characters = Array.from(text.toLowerCase());
  const patternParts = readPattern(pattern.toLowerCase());
  let index = 0;
  let position = 0;
  /**
   * The index of the last `%` in the pattern, and the index in the text at which its match currently ends.
   */
  let wildcardAt = -1;
  let wildcardEnd = 0;
  while (index < characters.length) {
    const part = patternParts[position];
    if (part === ONE_CHARACTER || part === characters[index]) {
      index += 1;
      position += 1;
    } else if (part === ANY_CHARACTERS) {
      wildcardAt = position;
      wildcardEnd = index;
      position += 1;
    } else if (wildcardAt >= 0) {
      wildcardEnd += 1;
      index = wildcardEnd;
      position = wildcardAt + 1;
    } else return false;
  }
  while (patternParts[position] === ANY_CHARACTERS) position += 1;
  return position === patternParts.length;
}

function readPattern(pattern: string): (string | symbol)[] {
  const patternParts: (string | symbol)[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (character === '\\' && !isEscaped) {
      isEscaped = true;
      continue;
    }
    patternParts.push(
      isEscaped
        ? character
        : character === '%'
          ? ANY_CHARACTERS
          : character === '_'
            ? ONE_CHARACTER
            : character,
    );
    isEscaped = false;
  }
  if (isEscaped) patternParts.push('\\');
  return patternParts;
}
