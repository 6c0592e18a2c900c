import { DOCS_LOGO_CHARACTERS_MAX } from '@rowhouse/contracts/image-url';

/** The largest size of a stored logo, in pixels. The docs page shows it at half of this size. */
const WIDTH_MAX = 224;
const HEIGHT_MAX = 56;

/**
 * Scales an image down and returns it as a data URL that the settings accept. The result contains no metadata
 * of the file. Throws an `Error` with a text for the user if the file is no image, or is still too large.
 */
export async function shrinkLogo(file: Blob): Promise<string> {
  const image = await createImageBitmap(file).catch(() => {
    throw new Error('This file is not an image that the browser can read. Choose a PNG, JPEG or WebP file.');
  });
  for (let share = 1; share >= 0.25; share /= 2) {
    const scale = Math.min(1, (WIDTH_MAX * share) / image.width, (HEIGHT_MAX * share) / image.height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const urls = [canvas.toDataURL('image/png'), canvas.toDataURL('image/webp', 0.9)];
    const fitting = urls.find((url) => url.length <= DOCS_LOGO_CHARACTERS_MAX);
    if (fitting !== undefined) return fitting;
  }
  throw new Error('This image is larger than 8 KB even at a small size. Choose a simpler one.');
}
