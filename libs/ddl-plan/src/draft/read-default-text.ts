import { findOutsideTexts, skipText } from '../skip-text.js';

const WORD = ' DEFAULT ';

/** The DEFAULT clause of a column's definition as the server wrote it, ` DEFAULT …` without the word; null without one. */
export function readDefaultText(definition: string): string | null {
  const at = findOutsideTexts(definition, WORD);
  return at < 0 ? null : readValue(definition.slice(at + WORD.length));
}

/** A quoted text with its introducer, an expression in parentheses, or a word with what is in its parentheses. */
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
