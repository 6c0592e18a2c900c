import { wordSet } from '../words/word-set.js';

/** Words before a noun that do not affect which rows or columns the noun names. */
export const DETERMINERS: ReadonlySet<string> = wordSet(`
  the a an all their its his her any some these those our both existing available listed own corresponding
  respective particular specific given other this that single
`);

export const EACH: ReadonlySet<string> = wordSet('each every per');

export const DISTINCT: ReadonlySet<string> = wordSet('distinct different unique');

export const MARKS = wordSet('. ? ! , ; :');

/** Conjunctions and relative pronouns that may begin a condition. */
export const LINKS = wordSet('who that which and but , also where or whom whose if such');

export const PREPOSITIONS = wordSet(`
  of in from at by with on for to within into under about via through as between among during using having
  containing over
`);
