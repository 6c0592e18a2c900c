import type { Random } from '../create-random.js';
import { WORDS } from './words.js';

/** The person that a row is about. */
export interface SamplePerson {
  readonly first: string;
  readonly last: string;
}

export function choosePerson(random: Random): SamplePerson {
  return { first: random.pick(WORDS.firstNames), last: random.pick(WORDS.lastNames) };
}
