import { wordSet } from '../words/word-set.js';

/** Verbs that only express a request, or connect nouns without a specific meaning. */
export const ASKING_VERBS: ReadonlySet<string> = wordSet(`
  list show find give return sorted ordered order sort named called name count display report state include
  including associated corresponding related contain contains containing belong belongs belonging located
  live lives living described known descending ascending using used made starting starts ending begins
  beginning exist available work works working have offered held occur occurs occurred happen happens
  happened exists existed appear appears classified categorized listed recorded found fall falls correspond
  corresponds grouped decreasing increasing involved showing displaying get gets
`);
