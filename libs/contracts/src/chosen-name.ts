import { z } from 'zod';

/**
 * Matches control characters, line breaks and bidirectional marks. They can make one name look like another
 * in lists and emails.
 */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const UNSEEN_MESSAGE = 'A name must not contain control characters or direction marks.';

/** The name of a project, key or organization. */
export const chosenName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !UNSEEN.test(text), UNSEEN_MESSAGE);

/** The name of a user. It may be empty. */
export const personName = z
  .string()
  .trim()
  .max(100)
  .refine((text) => !UNSEEN.test(text), UNSEEN_MESSAGE);
