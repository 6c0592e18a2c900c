import { findOutsideTexts, skipText } from '../skip-text.js';

const WORD = ' DEFAULT ';

/**
 * Returns the DEFAULT clause of a column definition without the word DEFAULT, as
 * the server wrote it, or null.
 */
export function readDefaultText(definition: string): string | null {
  const at = findOutsideTexts(definition, WORD);
  return at < 0 ? null : readValue(definition.slice(at + WORD.length));
}

/** Reads a quoted text with its introducer, an expression in parentheses, or a word with its parentheses. */
function readValue(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "'") {
      at = skipText(text, at);
      if (depth === 0) return text.slice(0, at + 1);
    } else if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    else if (text[at] === ' ' && depth === 0) return text.slice(0, at);
  }
  return text;
}
