import type { Choice } from '../../ui/choice-cards.js';

export type Starter = 'blog' | 'shop' | 'empty';

export const STARTER_CHOICES: readonly Choice<Starter>[] = [
  { value: 'blog', title: 'Blog', text: 'Users, posts, comments, tags' },
  { value: 'shop', title: 'Shop', text: 'Products, customers, orders' },
  { value: 'empty', title: 'Empty', text: 'Your own tables, as SQL' },
];
