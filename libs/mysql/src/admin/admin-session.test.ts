import { describe, expect, it } from 'vitest';
import { readServerFault } from './admin-session.js';

const driverError = (members: object): Error => Object.assign(new Error('text'), members);

describe('readServerFault', () => {
  it('readServerFault returns a server error whose number the driver does not know', () => {
    expect(
      readServerFault(driverError({ code: 'ER_DUP_ENTRY', errno: 1062, sqlState: '23000' })),
    ).toMatchObject({ errno: 1062, code: 'ER_DUP_ENTRY', isConnectionLost: false });
    expect(readServerFault(driverError({ code: undefined, errno: 1901, sqlState: 'HY000' }))).toMatchObject({
      errno: 1901,
      code: 'ER_1901',
      isConnectionLost: false,
    });
    expect(readServerFault(driverError({ code: undefined, errno: 1927, sqlState: '70100' }))).toMatchObject({
      isConnectionLost: true,
    });
  });
  it('readServerFault reports a lost connection', () => {
    expect(readServerFault(driverError({ code: 'ECONNRESET', errno: -104 }))).toMatchObject({
      errno: 0,
      isConnectionLost: true,
    });
    expect(
      readServerFault(driverError({ code: 'ER_UNKNOWN_COM_ERROR', errno: 1047, sqlState: '08S01' })),
    ).toMatchObject({ errno: 1047, isConnectionLost: true });
  });
  it('readServerFault reports a statement on a closed connection as a lost connection', () => {
    expect(
      readServerFault(new Error("Can't add new command when connection is in closed state")),
    ).toMatchObject({ errno: 0, isConnectionLost: true });
  });
  it('readServerFault returns null for an error that did not come from the driver', () => {
    expect(readServerFault(new TypeError('x of undefined'))).toBeNull();
    expect(readServerFault(driverError({ code: 'ENOENT', errno: -2 }))).toBeNull();
    expect(readServerFault('text')).toBeNull();
  });
});
