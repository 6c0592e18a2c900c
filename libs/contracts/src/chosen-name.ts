import { z } from 'zod';

/**
 * Matches control characters, line breaks and characters that change the text direction. With these, one name
 * could look like another in lists and emails.
 */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const UNSEEN_MESSAGE = 'A name must not contain control characters or direction marks.';

/** Validates the name of a project, API key or organization. */
export const chosenName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !UNSEEN.test(text), UNSEEN_MESSAGE);

/** Validates the name of a user, which may be empty. */
export const personName = z
  .string()
  .trim()
  .max(100)
  .refine((text) => !UNSEEN.test(text), UNSEEN_MESSAGE);
