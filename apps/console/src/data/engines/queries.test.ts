import { expect, it } from 'vitest';
import { describeEngine, describeEngineOf } from './queries.js';

it('an engine is shown with the number of its version', () => {
  expect(describeEngine('mariadb', '10.11.6-MariaDB-0+deb12u1-log')).toBe('MariaDB 10.11.6');
  expect(describeEngine('mysql', '9.7.4-2')).toBe('MySQL 9.7.4');
  expect(describeEngine('mysql', null)).toBe('MySQL');
});

it('a database whose server was not reached yet has no engine', () => {
  expect(describeEngineOf({ engine: null, engine_version: null })).toBeNull();
});
