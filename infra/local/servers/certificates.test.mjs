import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { provideCertificate } from './certificates.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rh-certificates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const NAMES = ['db.example.test', '127.0.0.1', '2001:db8::1'];

/**
 * Returns the outcome of a TLS handshake with this certificate, for a client that trusts only `ca`.
 * @param {import('./certificates.mjs').ServerCertificate} created
 * @param {string} ca
 * @param {string} servername
 */
async function shakeHands(created, ca, servername) {
  const server = createServer(
    { key: readFileSync(created.keyFile), cert: readFileSync(created.certFile) },
    (socket) => socket.end(),
  );
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  try {
    return await new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, ca, servername }, () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
      socket.on('error', (err) => resolve(/** @type {NodeJS.ErrnoException} */ (err).code));
    });
  } finally {
    server.close();
  }
}

describe('provideCertificate', () => {
  it('provideCertificate creates a certificate that clients accept only for its names', async () => {
    const created = provideCertificate(folder, NAMES);
    expect(await shakeHands(created, created.caPem, 'db.example.test')).toBe('TLSv1.3');
    expect(await shakeHands(created, created.caPem, 'elsewhere.example.test')).toBe(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
    const other = provideCertificate(join(folder, 'other'), NAMES);
    expect(await shakeHands(created, other.caPem, 'db.example.test')).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    const [authority, server] = [
      new X509Certificate(created.caPem),
      new X509Certificate(readFileSync(created.certFile)),
    ];
    expect({
      authority: authority.ca,
      server: server.ca,
      issued: server.checkIssued(authority),
      v6: server.checkIP('2001:db8::1'),
      v4: server.checkIP('127.0.0.1'),
      other: server.checkIP('127.0.0.2'),
    }).toEqual({
      authority: true,
      server: false,
      issued: true,
      v6: '2001:db8::1',
      v4: '127.0.0.1',
      other: undefined,
    });
    expect(statSync(created.keyFile).mode & 0o077).toBe(0);
  });

  it('provideCertificate replaces a certificate only when its names or key change', () => {
    const read = () =>
      ['ca.pem', 'ca-key.pem', 'server.pem'].map((name) => readFileSync(join(folder, name), 'utf8'));
    provideCertificate(folder, NAMES);
    const first = read();
    provideCertificate(folder, NAMES.slice(1));
    expect(read()).toEqual(first);
    provideCertificate(folder, [...NAMES, 'new.example.test']);
    const second = read();
    expect([second[0], second[1]]).toEqual([first[0], first[1]]);
    expect(second[2]).not.toBe(first[2]);
    const other = provideCertificate(join(folder, 'other'), NAMES);
    writeFileSync(join(folder, 'server-key.pem'), readFileSync(other.keyFile));
    provideCertificate(folder, NAMES);
    expect(read()[2]).not.toBe(second[2]);
  });
});
