import { countUtf8Bytes } from '../text-bounds.js';

/** Bytes to a token, on the safe side: names with underscores and other scripts take more tokens than prose. */
const BYTES_PER_TOKEN = 3.2;

/** About how many tokens a model counts, rather too many than too few. */
export function estimateTokens(text: string): number {
  return Math.ceil(countUtf8Bytes(text) / BYTES_PER_TOKEN);
}
