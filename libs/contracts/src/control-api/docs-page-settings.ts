import { z } from 'zod';
import { DOCS_LOGO_CHARACTERS_MAX, readImageUrl } from '../image-url.js';

/** Validates the appearance of the docs page. Members that are omitted get the default. */
export const docsPageSettings = z.strictObject({
  title: z.string().trim().min(1).max(100).nullable().default(null),
  intro: z.string().trim().min(1).max(2_000).nullable().default(null),
  accent_color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'Must be a color such as #1f6249.')
    .nullable()
    .default(null),
  logo: z
    .string()
    .max(DOCS_LOGO_CHARACTERS_MAX, 'The image must have at most 8 KB.')
    .refine(
      (url) => readImageUrl(url) !== null,
      'Must be the data URL of a PNG, JPEG or WebP image: data:image/png;base64,…',
    )
    .nullable()
    .default(null),
});
