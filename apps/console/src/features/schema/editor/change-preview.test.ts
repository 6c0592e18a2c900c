import { expect, it } from 'vitest';
import { narrowImpact } from './change-preview.js';

it('the change preview only contains entries about the given tables', () => {
  const impact = {
    added: ['GET /post-tags', 'DELETE /readers/{id}', 'posts.subtitle'],
    removed: ['post_tags.note'],
    changed: ['posts?include=tags'],
    usedBy: [],
  };
  expect(narrowImpact(impact, ['post_tags'])).toEqual({
    added: ['GET /post-tags'],
    removed: ['post_tags.note'],
    changed: [],
    usedBy: [],
  });
  expect(narrowImpact(impact, ['posts'])).toMatchObject({
    added: ['posts.subtitle'],
    changed: ['posts?include=tags'],
  });
});
