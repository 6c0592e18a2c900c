const ONE = Symbol('one character');
const RUN = Symbol('any characters');

/**
 * Returns whether a text matches an SQL LIKE pattern, ignoring case. `%` matches any characters, `_` matches
 * one, and `\` escapes either. Takes time proportional to text times pattern at most. A regular expression
 * would try every split of the text among the wildcards.
 */
export function isLike(text: string, pattern: string): boolean {
  const characters = Array.from(text.toLowerCase());
  const wanted = readPattern(pattern.toLowerCase());
  let at = 0;
  let place = 0;
  /** The last `%`, and where its match ends so far. */
  let run = -1;
  let runEnd = 0;
  while (at < characters.length) {
    const want = wanted[place];
    if (want === ONE || want === characters[at]) {
      at += 1;
      place += 1;
    } else if (want === RUN) {
      run = place;
      runEnd = at;
      place += 1;
    } else if (run >= 0) {
      runEnd += 1;
      at = runEnd;
      place = run + 1;
    } else return false;
  }
  while (wanted[place] === RUN) place += 1;
  return place === wanted.length;
}

function readPattern(pattern: string): (string | symbol)[] {
  const wanted: (string | symbol)[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (character === '\\' && !isEscaped) {
      isEscaped = true;
      continue;
    }
    wanted.push(isEscaped ? character : character === '%' ? RUN : character === '_' ? ONE : character);
    isEscaped = false;
  }
  if (isEscaped) wanted.push('\\');
  return wanted;
}
