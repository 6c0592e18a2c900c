const ONE = Symbol('one character');
const RUN = Symbol('any characters');

/**
 * Whether a text is LIKE a pattern of SQL, case-blind: `%` is any characters, `_` one, `\` before either means itself. Takes no
 * longer than text times pattern: an expression of runs would try every share of the text among them.
 */
export function isLike(text: string, pattern: string): boolean {
  const characters = Array.from(text.toLowerCase());
  const wanted = readPattern(pattern.toLowerCase());
  let at = 0;
  let place = 0;
  /** The last run, and where in the text it ends for now. */
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
