import type { Choice } from '../../ui/controls/choice-cards.js';

type Starter = 'blog' | 'shop' | 'empty';

export const STARTER_CHOICES: readonly Choice<Starter>[] = [
  { value: 'blog', title: 'Blog', text: 'Users, posts, comments, tags' },
  { value: 'shop', title: 'Shop', text: 'Products, customers, orders' },
  { value: 'empty', title: 'Empty', text: 'Your own tables, as SQL' },
];
/**
 * How a project's first tables are created: from a ready-made schema, from SQL, from a description that
 * becomes SQL, or not yet.
 */
export type ProjectStart = Starter | 'sql' | 'describe';

export interface StarterInput {
  readonly kind: ProjectStart;
  /** The SQL or the description that the user typed. Empty for a ready-made schema. */
  readonly text: string;
}

export const BEGINNING_CHOICES: readonly Choice<ProjectStart>[] = [
  ...STARTER_CHOICES.filter(({ value }) => value !== 'empty'),
  { value: 'sql', title: 'Your SQL', text: 'Paste your CREATE TABLE statements' },
  { value: 'describe', title: 'Describe it', text: 'Describe your data; we’ll write the SQL' },
  { value: 'empty', title: 'Empty', text: 'No tables yet' },
];

export function toStarter(kind: ProjectStart): Starter {
  return kind === 'sql' || kind === 'describe' ? 'empty' : kind;
}
