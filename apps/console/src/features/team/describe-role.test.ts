import { expect, it } from 'vitest';
import { rolesUpTo } from './describe-role.js';

it("the role list offers no role above the user's own", () => {
  expect(rolesUpTo('admin')).toEqual(['viewer', 'developer', 'admin']);
  expect(rolesUpTo('owner')).toContain('owner');
});
