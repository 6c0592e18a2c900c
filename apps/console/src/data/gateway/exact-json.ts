/**
 * A number as a string of digits, because JavaScript would round it. `JSON.stringify` writes these digits
 * unchanged.
 */
export interface ExactNumber {
  readonly rawJSON: string;
}

/**
 * The members of `JSON` that newer JavaScript engines have, but TypeScript's library does not declare yet.
 */
interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON?(text: string): ExactNumber;
}

const exactJson = JSON as unknown as ExactJson;

/**
 * Parses like `JSON.parse`, but keeps all digits of numbers if the browser supports it. Throws SyntaxError.
 */
export function parseExactJson(text: string): unknown {
  if (exactJson.rawJSON === undefined) return JSON.parse(text);
  return exactJson.parse(text, (_key, value, context) => {
    if (typeof value !== 'number' || context?.source === undefined || String(value) === context.source)
      return value;
    return exactJson.rawJSON?.(context.source) ?? value;
  });
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === null &&
    typeof (value as { rawJSON?: unknown }).rawJSON === 'string'
  );
}
