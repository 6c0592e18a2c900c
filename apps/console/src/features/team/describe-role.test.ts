import { expect, it } from 'vitest';
import { rolesUpTo } from './describe-role.js';

it("no role above the caller's own is offered", () => {
  expect(rolesUpTo('admin')).toEqual(['viewer', 'developer', 'admin']);
  expect(rolesUpTo('owner')).toContain('owner');
});
