import type { Capabilities } from './types.js';

/** The capabilities assumed first. Nearly every server has them, and its responses show where it does not. */
export const FIRST_CAPABILITIES: Capabilities = {
  format: 'json_schema',
  temperature: true,
  tokens: 'max_tokens',
  systemRole: true,
  stream: false,
};

/**
 * Returns how to send the next request after the server rejected the form of one, or null when nothing is
 * left to change.
 *
 * @param message the server's message in lower case
 */
export function learnCapabilities(before: Capabilities, message: string): Capabilities | null {
  if (/\bstream/.test(message) && !before.stream) return { ...before, stream: true };
  if (/max_(?:completion_)?tokens/.test(message) && before.tokens !== 'none')
    return {
      ...before,
      tokens:
        before.tokens === 'max_tokens' &&
        !/max_completion_tokens.{0,30}(?:not support|unsupported|unknown|unrecognized|extra)/.test(message)
          ? 'max_completion_tokens'
          : 'none',
    };
  if (/temperature/.test(message) && before.temperature) return { ...before, temperature: false };
  if (/system.{0,20}(?:role|message|prompt)|role.{0,20}system/.test(message) && before.systemRole)
    return { ...before, systemRole: false };
  // JSON schemas are what the fewest servers support, so they are given up first.
  if (before.format === 'json_schema') return { ...before, format: 'json_object' };
  if (before.format === 'json_object') return { ...before, format: 'text' };
  if (before.tokens === 'max_tokens') return { ...before, tokens: 'none' };
  return null;
}
