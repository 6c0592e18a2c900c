import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { makeCertificate } from './x509.mjs';

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
const SERVER_DAYS = 825;
/** A start renews a server's certificate when it is valid for less than this time. */
const RENEW_DAYS = 120;

/**
 * @typedef {object} ServerCertificate
 * @property {string} caFile
 * @property {string} certFile
 * @property {string} keyFile
 * @property {string} caPem the authority, for clients
 */

/**
 * Returns a certificate for a server that is reached under `names`. It is issued by the installation's own
 * authority, which is created once.
 * @param {string} folder
 * @param {readonly string[]} names DNS names and addresses
 * @returns {ServerCertificate}
 */
export function provideCertificate(folder, names) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = {
    caFile: join(folder, 'ca.pem'),
    caKeyFile: join(folder, 'ca-key.pem'),
    certFile: join(folder, 'server.pem'),
    keyFile: join(folder, 'server-key.pem'),
  };
  if (!existsSync(files.caFile) || !existsSync(files.caKeyFile)) makeAuthority(files);
  const caPem = readFileSync(files.caFile, 'utf8');
  if (!isFit(files, new X509Certificate(caPem), names)) makeServerCertificate(files, names);
  return { caFile: files.caFile, certFile: files.certFile, keyFile: files.keyFile, caPem };
}

/** @typedef {{caFile: string, caKeyFile: string, certFile: string, keyFile: string}} Files */

/** @param {Files} files */
function makeAuthority(files) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = `Rowhouse ${new Date().toISOString().slice(0, 10)}`;
  const pem = makeCertificate({
    subject: name,
    issuer: name,
    publicKey,
    issuerPublicKey: publicKey,
    issuerPrivateKey: privateKey,
    ...lastFor(AUTHORITY_DAYS),
    names: null,
  });
  writePem(files.caKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writePem(files.caFile, pem);
}

/** @param {Files} files @param {readonly string[]} names */
function makeServerCertificate(files, names) {
  const authority = new X509Certificate(readFileSync(files.caFile));
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = makeCertificate({
    subject: names[0] ?? 'localhost',
    issuer: authority.subject.replace(/^CN=/, ''),
    publicKey,
    issuerPublicKey: authority.publicKey,
    issuerPrivateKey: createPrivateKey(readFileSync(files.caKeyFile)),
    ...lastFor(SERVER_DAYS),
    names,
  });
  writePem(files.keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writePem(files.certFile, pem);
}

/**
 * Returns whether the existing certificate is issued by this authority, for its key and all of the names, and
 * is valid for long enough.
 * @param {Files} files
 * @param {X509Certificate} authority
 * @param {readonly string[]} names
 */
function isFit(files, authority, names) {
  if (!existsSync(files.certFile) || !existsSync(files.keyFile)) return false;
  const certificate = new X509Certificate(readFileSync(files.certFile));
  const hasNames = names.every(
    (name) =>
      (isIP(name) === 0 ? certificate.checkHost(name, { subject: 'never' }) : certificate.checkIP(name)) !==
      undefined,
  );
  const isOfKey = createPublicKey(readFileSync(files.keyFile)).equals(certificate.publicKey);
  return (
    hasNames &&
    isOfKey &&
    certificate.verify(authority.publicKey) &&
    Date.parse(certificate.validTo) - Date.now() > RENEW_DAYS * DAY_MS
  );
}

/**
 * Returns a validity that begins an hour ago, because clocks differ.
 * @param {number} days
 */
function lastFor(days) {
  return { from: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + days * DAY_MS) };
}

/** @param {string} path @param {string | Buffer} text */
function writePem(path, text) {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
