const ONE = Symbol('one character');
const RUN = Symbol('any characters');

/**
 * Returns whether a text matches an SQL LIKE pattern, ignoring case. `%` matches any characters, `_` matches
 * one, and `\` escapes either. Takes time proportional to text times pattern at most. A regular expression
 * would try every split of the text among the wildcards.
 */
export function isLike(text: string, pattern: string): boolean {
  const characters = Array.from(text.toLowerCase());
  const requested = readPattern(pattern.toLowerCase());
  let index = 0;
  let position = 0;
  /** The last `%`, and where its match ends so far. */
  let run = -1;
  let runEnd = 0;
  while (index < characters.length) {
    const want = requested[position];
    if (want === ONE || want === characters[index]) {
      index += 1;
      position += 1;
    } else if (want === RUN) {
      run = position;
      runEnd = index;
      position += 1;
    } else if (run >= 0) {
      runEnd += 1;
      index = runEnd;
      position = run + 1;
    } else return false;
  }
  while (requested[position] === RUN) position += 1;
  return position === requested.length;
}

function readPattern(pattern: string): (string | symbol)[] {
  const requested: (string | symbol)[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (character === '\\' && !isEscaped) {
      isEscaped = true;
      continue;
    }
    requested.push(isEscaped ? character : character === '%' ? RUN : character === '_' ? ONE : character);
    isEscaped = false;
  }
  if (isEscaped) requested.push('\\');
  return requested;
}
