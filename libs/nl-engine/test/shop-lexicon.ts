import { nameSnapshot } from '@rowhouse/schema-model';
import { buildLexicon } from '../src/lexicon/build-lexicon.js';
import { type Lexicon } from '../src/lexicon/lexicon.js';
import type { Candidate } from '../src/ranked-candidates.js';
import { listCandidates } from '../src/list-candidates.js';
import { listColumnValues } from './list-column-values.js';
import { SHOP_ROWS } from './own-rows.js';
import { SHOP_SCHEMA } from './own-schemas.js';

const snapshot = nameSnapshot(SHOP_SCHEMA, null);

/** The lexicon for the shop schema and its rows. */
export const SHOP_LEXICON: Lexicon = buildLexicon({
  snapshot,
  values: listColumnValues(snapshot, SHOP_ROWS),
  synonyms: [],
});

/** Returns the statements for a question about the shop schema, ordered by cost. */
export function readShop(question: string): Candidate[] {
  return listCandidates(question, SHOP_LEXICON, 20_000);
}
