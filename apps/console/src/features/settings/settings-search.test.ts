import { expect, it } from 'vitest';
import { readSettingsSearch } from './settings-search.js';
import { isShown } from './shown-settings.js';

it('the settings page reads its tab and its search from the URL', () => {
  expect(readSettingsSearch({ tab: 'api', find: 'cors' })).toEqual({ tab: 'api', find: 'cors' });
  expect(readSettingsSearch({ tab: 'toString', find: 3 })).toEqual({});
});

it('a search of the settings page looks at the settings of all tabs', () => {
  expect(isShown({ tab: 'api', find: '' }, 'api', 'Rate limit')).toBe(true);
  expect(isShown({ tab: 'api', find: '' }, 'tables', 'Rate limit')).toBe(false);
  expect(isShown({ tab: 'project', find: 'limit RATE' }, 'api', 'Rate limit')).toBe(true);
  expect(isShown({ tab: 'api', find: 'cors' }, 'api', 'Rate limit')).toBe(false);
});
