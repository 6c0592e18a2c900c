import { expect, it } from 'vitest';
import { describeEngine, describeEngineOf } from './queries.js';

it('the console shows an engine with its version number', () => {
  expect(describeEngine('mariadb', '10.11.6-MariaDB-0+deb12u1-log')).toBe('MariaDB 10.11.6');
  expect(describeEngine('mysql', '9.7.4-2')).toBe('MySQL 9.7.4');
  expect(describeEngine('mysql', null)).toBe('MySQL');
});

it('the console shows no engine for a database whose server has not been reached yet', () => {
  expect(describeEngineOf({ engine: null, engine_version: null })).toBeNull();
});
