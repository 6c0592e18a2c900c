/** The DEFAULT clause of a column's definition as the server wrote it, ` DEFAULT …` without the word; null without one. */
export function readDefaultText(definition: string): string | null {
  for (let at = 0; at < definition.length; at += 1) {
    if (definition[at] === "'") at = skipText(definition, at);
    else if (definition.startsWith(' DEFAULT ', at)) return readValue(definition.slice(at + ' DEFAULT '.length));
  }
  return null;
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

function skipText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === "'") {
      if (text[at + 1] !== "'") return at;
      at += 1;
    }
  }
  return text.length;
}
