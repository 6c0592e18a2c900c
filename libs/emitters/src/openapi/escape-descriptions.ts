import type { Json, JsonObject } from './openapi-types.js';

/** What begins HTML, or ends the text of a link or an image. */
const MARKUP = /<|\](?=[(:])/g;

/**
 * Descriptions are Markdown, and hold what tenants wrote into comments and names: none of it becomes HTML, a link or an image.
 */
export function escapeDescriptions<T extends Json>(node: T): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return (node as readonly Json[]).map((item) => escapeDescriptions(item)) as unknown as T;
  const entries = Object.entries(node as JsonObject).map(([name, value]) => {
    const isText = (name === 'description' || name === 'summary') && typeof value === 'string';
    return [name, isText ? value.replace(MARKUP, '\\$&') : escapeDescriptions(value)] as const;
  });
  return Object.fromEntries(entries) as unknown as T;
}
