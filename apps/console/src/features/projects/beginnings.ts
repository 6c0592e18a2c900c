import type { Choice } from '../../ui/choice-cards.js';
import { STARTER_CHOICES, type Starter } from './starters.js';

/** How a project comes to its first tables: ready-made ones, SQL of one's own, words that are made into SQL, or not yet. */
export type Beginning = Starter | 'sql' | 'words';

export interface BeginningWish {
  readonly kind: Beginning;
  /** The SQL or the words; empty for ready-made ones. */
  readonly text: string;
}

export const BEGINNING_CHOICES: readonly Choice<Beginning>[] = [
  ...STARTER_CHOICES.filter(({ value }) => value !== 'empty'),
  { value: 'sql', title: 'Your SQL', text: 'CREATE TABLE, pasted here' },
  { value: 'words', title: 'In words', text: 'Said here, shown as SQL' },
  { value: 'empty', title: 'Empty', text: 'No tables yet' },
];

export function toStarter(kind: Beginning): Starter {
  return kind === 'sql' || kind === 'words' ? 'empty' : kind;
}
