import { expect, it } from 'vitest';
import { chooseEngine } from './choose-engine.mjs';

const fresh = { hasData: false, dataDir: '/data' };

it('a new installation uses MariaDB unless ROWHOUSE_ENGINE is mysql', () => {
  expect([
    chooseEngine({}, fresh),
    chooseEngine({ ROWHOUSE_ENGINE: '' }, fresh),
    chooseEngine({ ROWHOUSE_ENGINE: 'mysql' }, fresh),
  ]).toEqual(['mariadb', 'mariadb', 'mysql']);
  // A start that failed before it created any data may be repeated with the other engine.
  expect(chooseEngine({ ROWHOUSE_ENGINE: 'mariadb' }, { ...fresh, engine: 'mysql' })).toBe('mariadb');
});

it('chooseEngine rejects another engine than that of the existing data', () => {
  expect(chooseEngine({}, { engine: 'mysql', hasData: true, dataDir: '/data' })).toBe('mysql');
  expect(chooseEngine({}, { hasData: true, dataDir: '/data' })).toBe('mariadb');
  expect(() => chooseEngine({ ROWHOUSE_ENGINE: 'mysql' }, { hasData: true, dataDir: '/data' })).toThrow(
    'The databases in /data are on MariaDB, but ROWHOUSE_ENGINE is set to MySQL.',
  );
});

it('chooseEngine rejects an unknown engine, and ROWHOUSE_ENGINE together with MYSQL_URL', () => {
  expect(() => chooseEngine({ ROWHOUSE_ENGINE: 'postgres' }, fresh)).toThrow(
    'ROWHOUSE_ENGINE must be mariadb or mysql, not "postgres".',
  );
  expect(() => chooseEngine({ ROWHOUSE_ENGINE: 'mysql', MYSQL_URL: 'mysql://a@b' }, fresh)).toThrow(
    'Set only one.',
  );
});
