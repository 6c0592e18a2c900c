import type { Capabilities } from './types.js';

/** What nearly every server understands; the first answers tell where one does not. */
export const FIRST_CAPABILITIES: Capabilities = { format: 'json_schema', temperature: true, tokens: 'max_tokens', systemRole: true, stream: false };

/**
 * How to ask next, after a server refused the form of a request; null when nothing is left to change.
 * @param said what it said, in lower case
 */
export function learnCapabilities(before: Capabilities, said: string): Capabilities | null {
  if (/\bstream/.test(said) && !before.stream) return { ...before, stream: true };
  if (/max_(?:completion_)?tokens/.test(said) && before.tokens !== 'none') return { ...before, tokens: before.tokens === 'max_tokens' && !/max_completion_tokens.{0,30}(?:not support|unsupported|unknown|unrecognized|extra)/.test(said) ? 'max_completion_tokens' : 'none' };
  if (/temperature/.test(said) && before.temperature) return { ...before, temperature: false };
  if (/system.{0,20}(?:role|message|prompt)|role.{0,20}system/.test(said) && before.systemRole) return { ...before, systemRole: false };
  // Whatever else it does not take: answers in a form of its own making are what fewest servers know.
  if (before.format === 'json_schema') return { ...before, format: 'json_object' };
  if (before.format === 'json_object') return { ...before, format: 'text' };
  if (before.tokens === 'max_tokens') return { ...before, tokens: 'none' };
  return null;
}
