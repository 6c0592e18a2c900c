import { expect, it } from 'vitest';
import { nameXid } from './prepared-transactions.js';

it('the name of a prepared transaction is written as hexadecimal bytes for either engine', () => {
  const bytes = Buffer.from([0x27, 0x00, 0xff, 0x5c, 0x62]);
  expect(nameXid({ formatID: 7, gtrid_length: 3, bqual_length: 2, data: bytes })).toBe("X'2700ff',X'5c62',7");
  expect(nameXid({ formatID: '1', gtrid_length: '2', bqual_length: '0', data: '0x7678' })).toBe(
    "X'7678',X'',1",
  );
});

it('a malformed name of a prepared transaction is rejected', () => {
  expect(() => nameXid({ formatID: 1, gtrid_length: 2, bqual_length: 0, data: "0x76'" })).toThrow(
    /not known/,
  );
  expect(() => nameXid({ formatID: 1, gtrid_length: 4, bqual_length: 0, data: '0x7678' })).toThrow(
    /not known/,
  );
});
