import { expect, it } from 'vitest';
import { chooseServers, type ServerCandidate } from './choose-servers.js';

const server = (
  id: string,
  engine: ServerCandidate['engine'],
  databases = 0,
  databasesMax = 10,
): ServerCandidate => ({ id, engine, databases, databasesMax });
const both = [
  server('a', 'mariadb', 5),
  server('b', 'mysql', 1),
  server('c', 'mariadb', 2),
  server('d', null),
];

function rejection(callback: () => unknown): object {
  try {
    callback();
  } catch (error) {
    return error as object;
  }
  throw new Error('it was not refused');
}

it('a new database is placed on the emptiest server of the requested engine', () => {
  expect(chooseServers(both, 1, { asked: 'mysql', preferred: 'mariadb' })).toEqual(['b']);
  expect(chooseServers(both, 1, { asked: 'mariadb', preferred: 'mysql' })).toEqual(['c', 'a']);
});

it('a new database without a requested engine is placed on a server of the preferred engine', () => {
  expect(chooseServers(both, 1, { preferred: 'mariadb' })).toEqual(['c', 'a', 'd']);
  expect(chooseServers(both, 1, { preferred: 'mysql' })).toEqual(['b', 'd']);
});

it('a new database is placed on the only available engine even if another one is preferred', () => {
  expect(chooseServers([server('b', 'mysql')], 2, { preferred: 'mariadb' })).toEqual(['b']);
  expect(chooseServers([server('d', null)], 2, { preferred: 'mysql' })).toEqual(['d']);
});

it('an engine that no server runs is rejected with a hint about available engines', () => {
  expect(
    rejection(() =>
      chooseServers([server('a', 'mariadb'), server('d', null)], 1, { asked: 'mysql', preferred: 'mariadb' }),
    ),
  ).toMatchObject({
    status: 422,
    hint: 'Databases can run on MariaDB ("mariadb").',
    faults: [{ loc: ['body', 'engine'], msg: 'No database server of this installation runs MySQL.' }],
  });
});

it('a new database is rejected if all servers of the requested engine are full', () => {
  const full = [server('a', 'mariadb', 10), server('b', 'mysql')];
  expect(rejection(() => chooseServers(full, 1, { asked: 'mariadb', preferred: 'mariadb' }))).toMatchObject({
    status: 503,
    detail: 'All MariaDB servers are full. Ask the operator to add one.',
  });
  expect(rejection(() => chooseServers(full, 1, { preferred: 'mariadb' }))).toMatchObject({ status: 503 });
  expect(rejection(() => chooseServers([server('b', 'mysql', 9)], 2, { preferred: 'mysql' }))).toMatchObject({
    status: 503,
  });
});
