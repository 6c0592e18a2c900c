/** A number that a JavaScript number would round, in its own digits. `JSON.stringify` writes it back as it was. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** Members of newer engines that the compiler's library does not name yet. */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context?: { readonly source?: string }) => unknown): unknown;
  rawJSON?(text: string): ExactNumber;
}

const exactJson = JSON as unknown as ExactJson;

/** As `JSON.parse`, but numbers keep all their digits where the browser can tell them. Throws SyntaxError. */
export function parseExactJson(text: string): unknown {
  if (exactJson.rawJSON === undefined) return JSON.parse(text);
  return exactJson.parse(text, (_key, value, context) => {
    if (typeof value !== 'number' || context?.source === undefined || String(value) === context.source) return value;
    return exactJson.rawJSON?.(context.source) ?? value;
  });
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null && typeof (value as { rawJSON?: unknown }).rawJSON === 'string';
}
