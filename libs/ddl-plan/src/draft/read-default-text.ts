import { findOutsideTexts, skipText } from '../skip-text.js';

const WORD = ' DEFAULT ';

/**
 * Returns the DEFAULT clause of a column definition without the word DEFAULT, as
 * the server wrote it, or null.
 */
export function readDefaultText(definition: string): string | null {
  const index = findOutsideTexts(definition, WORD);
  return index < 0 ? null : readValue(definition.slice(index + WORD.length));
}

/** Reads a quoted text with its introducer, an expression in parentheses, or a word with its parentheses. */
function readValue(text: string): string {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "'") {
      index = skipText(text, index);
      if (depth === 0) return text.slice(0, index + 1);
    } else if (text[index] === '(') depth += 1;
    else if (text[index] === ')') depth -= 1;
    else if (text[index] === ' ' && depth === 0) return text.slice(0, index);
  }
  return text;
}
