import type { Json, JsonObject } from './openapi-types.js';

/** Matches what starts HTML or ends the text of a link or image. */
const MARKUP = /<|\](?=[(:])/g;

/**
 * Escapes descriptions, which are Markdown and contain comments and names from tenants.
 * None of them may become HTML, a link or an image.
 */
export function escapeDescriptions<T extends Json>(node: T): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node))
    return (node as readonly Json[]).map((item) => escapeDescriptions(item)) as unknown as T;
  const entries = Object.entries(node as JsonObject).map(([name, value]) => {
    const isText = (name === 'description' || name === 'summary') && typeof value === 'string';
    return [name, isText ? value.replace(MARKUP, '\\$&') : escapeDescriptions(value)] as const;
  });
  return Object.fromEntries(entries) as unknown as T;
}
