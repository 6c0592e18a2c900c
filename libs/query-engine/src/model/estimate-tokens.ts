import { countUtf8Bytes } from '../text-bounds.js';

/**
 * A conservative number of bytes per token. Names with underscores and other scripts need more tokens than
 * prose.
 */
const BYTES_PER_TOKEN = 3.2;

/** Estimates the number of tokens, rather too high than too low. */
export function estimateTokens(text: string): number {
  return Math.ceil(countUtf8Bytes(text) / BYTES_PER_TOKEN);
}
