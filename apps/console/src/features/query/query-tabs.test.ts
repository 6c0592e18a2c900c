import { expect, it } from 'vitest';
import { closeTab, nameTab, openTab, putTab, readTabs, startTabs } from './query-tabs.js';

it('the query page reuses an empty tab and always has at least one tab', () => {
  const queryTabs = openTab(startTabs(), { text: 'SELECT 1', mode: 'sql' });
  expect(queryTabs.tabs).toEqual([{ id: '1', text: 'SELECT 1', mode: 'sql' }]);
  const two = openTab(queryTabs, { text: '', mode: 'auto' });
  expect([two.tabs.length, two.activeId]).toEqual([2, '2']);
  expect(closeTab(two, '2').activeId).toBe('1');
  expect(closeTab(queryTabs, '1')).toEqual(startTabs());
});

it('the query page restores stored tabs and replaces unreadable ones by a new tab', () => {
  const persisted = putTab(openTab(startTabs(), { text: 'how many posts', mode: 'question' }), {
    id: '1',
    text: 'how many users',
    mode: 'auto',
  });
  expect(readTabs(JSON.stringify(persisted))).toEqual(persisted);
  for (const text of [null, '', '{}', '{"tabs":[{"id":1}]}']) expect(readTabs(text)).toEqual(startTabs());
});

it('a query tab is named after its saved query or its first line', () => {
  expect(nameTab({ id: '1', text: ' \n', mode: 'auto' })).toBe('New query');
  expect(nameTab({ id: '1', text: 'SELECT *\nFROM x', mode: 'auto' })).toBe('SELECT *');
  expect(nameTab({ id: '1', text: 'x', mode: 'auto', saved: { id: 'q', name: 'Best' } })).toBe('Best');
});

it('opening a saved query selects its existing tab', () => {
  const saved = { id: 'q', name: 'Best' };
  const queryTabs = openTab(openTab(startTabs(), { text: 'SELECT 1', mode: 'sql', saved }), {
    text: 'SELECT 2',
    mode: 'sql',
  });
  expect(queryTabs.activeId).toBe('2');
  expect(openTab(queryTabs, { text: 'SELECT 3', mode: 'sql', saved })).toEqual({
    ...queryTabs,
    activeId: '1',
  });
});
