import { expect, it } from 'vitest';
import { rolesUpTo } from './describe-role.js';

it('offers no role above the own one', () => {
  expect(rolesUpTo('admin')).toEqual(['viewer', 'developer', 'admin']);
  expect(rolesUpTo('owner')).toContain('owner');
});
