/** The maximum length of a logo's data URL, which is that of 8 KB. Every gateway holds it in memory. */
export const DOCS_LOGO_CHARACTERS_MAX = 11_000;

export interface InlineImage {
  readonly contentType: string;
  readonly base64: string;
}

const FORM =
  /^data:(image\/(?:png|jpeg|webp));base64,((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** How the content of each type starts in Base64. For WebP, `RUJQ` are the bytes 9 to 11, which are `EBP`. */
const STARTS: Readonly<Record<string, RegExp>> = {
  'image/png': /^iVBORw0KGgo/,
  'image/jpeg': /^\/9j\//,
  'image/webp': /^UklGR.{7}RUJQ/,
};

/**
 * Reads the data URL of an image. Returns null unless it is a PNG, JPEG or WebP image whose bytes have the
 * declared type. SVG is not accepted, because it can contain scripts.
 */
export function readImageUrl(url: string): InlineImage | null {
  const [, contentType = '', base64 = ''] = FORM.exec(url) ?? [];
  return STARTS[contentType]?.test(base64) === true ? { contentType, base64 } : null;
}
