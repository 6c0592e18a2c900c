import { expect, it } from 'vitest';
import { adaptHint } from './adapt-hint.js';

it('the console replaces hints about request bodies and headers', () => {
  expect(adaptHint('Did you mean SELECT? To send a question, add "mode": "question".')).toBe(
    'Did you mean SELECT? If this is a question, choose Question above.',
  );
  expect(
    adaptHint('To change every record, add WHERE 1 = 1. The header Prefer: max-affected limits the number.'),
  ).toBe('To change every record, add WHERE 1 = 1.');
  expect(adaptHint(null)).toBeNull();
});
