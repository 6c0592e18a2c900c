import { z } from 'zod';

/** Controls, line ends, and marks that turn the direction of what follows: in a list or a mail one name looks like another by them. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const UNSEEN_TOLD = 'A name holds no control characters and no marks of direction.';

/** What people call a project, a key, an organization. */
export const chosenName = z.string().trim().min(1).max(100).refine((text) => !UNSEEN.test(text), UNSEEN_TOLD);

/** What people are called; it may be empty. */
export const personName = z.string().trim().max(100).refine((text) => !UNSEEN.test(text), UNSEEN_TOLD);
