import { createHash, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * Encodes certificates in DER, as far as a private authority and its servers need (RFC 5280): version 3,
 * ECDSA with SHA-256. Node reads certificates but cannot create them, and not every machine has `openssl`.
 */

const SEQUENCE = 0x30;
const SET = 0x31;
const OID = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  basicConstraints: '551d13',
  keyUsage: '551d0f',
  extendedKeyUsage: '551d25',
  subjectAltName: '551d11',
  subjectKeyId: '551d0e',
  authorityKeyId: '551d23',
  serverAuth: '2b06010505070301',
};
const ALGORITHM = wrap(SEQUENCE, readOid(OID.ecdsaWithSha256));
const TRUE = Buffer.from([0x01, 0x01, 0xff]);
/** The contents of the BIT STRING of keyUsage: the number of unused bits, then the bits. */
const USES = { certificates: Buffer.from([1, 0b0000_0110]), handshakes: Buffer.from([7, 0b1000_0000]) };

/**
 * @typedef {object} CertificateOptions
 * @property {string} subject
 * @property {string} issuer
 * @property {import('node:crypto').KeyObject} publicKey the key of the subject, on P-256
 * @property {import('node:crypto').KeyObject} issuerPublicKey
 * @property {import('node:crypto').KeyObject} issuerPrivateKey
 * @property {Date} from
 * @property {Date} until
 * @property {readonly string[] | null} names DNS names and addresses of a server; null for an authority
 */

/**
 * @param {CertificateOptions} options
 * @returns {string} PEM
 */
export function makeCertificate(options) {
  const body = wrap(
    SEQUENCE,
    wrap(0xa0, Buffer.from([0x02, 0x01, 0x02])),
    wrap(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    ALGORITHM,
    writeName(options.issuer),
    wrap(SEQUENCE, writeTime(options.from), writeTime(options.until)),
    writeName(options.subject),
    options.publicKey.export({ type: 'spki', format: 'der' }),
    wrap(0xa3, wrap(SEQUENCE, ...listExtensions(options))),
  );
  const signature = sign('sha256', body, options.issuerPrivateKey);
  const der = wrap(SEQUENCE, body, ALGORITHM, wrap(0x03, Buffer.from([0]), signature));
  return `-----BEGIN CERTIFICATE-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** @param {CertificateOptions} options */
function listExtensions({ publicKey, issuerPublicKey, names }) {
  const isAuthority = names === null;
  const own = [
    writeExtension(
      OID.basicConstraints,
      wrap(SEQUENCE, ...(isAuthority ? [TRUE, Buffer.from([0x02, 0x01, 0x00])] : [])),
      true,
    ),
    writeExtension(OID.keyUsage, wrap(0x03, isAuthority ? USES.certificates : USES.handshakes), true),
    writeExtension(OID.subjectKeyId, wrap(0x04, hashKey(publicKey))),
    writeExtension(OID.authorityKeyId, wrap(SEQUENCE, wrap(0x80, hashKey(issuerPublicKey)))),
  ];
  if (isAuthority) return own;
  return [
    ...own,
    writeExtension(OID.extendedKeyUsage, wrap(SEQUENCE, readOid(OID.serverAuth))),
    writeExtension(OID.subjectAltName, wrap(SEQUENCE, ...names.map(writeAltName))),
  ];
}

/** @param {string} oid @param {Buffer} value @param {boolean} [isCritical] */
function writeExtension(oid, value, isCritical = false) {
  return wrap(SEQUENCE, readOid(oid), ...(isCritical ? [TRUE] : []), wrap(0x04, value));
}

/** @param {string} name */
function writeAltName(name) {
  return isIP(name) === 0 ? wrap(0x82, Buffer.from(name, 'ascii')) : wrap(0x87, writeAddress(name));
}

/**
 * Returns the 4 or 16 bytes of an IP address.
 * @param {string} address
 */
function writeAddress(address) {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const toGroups = (/** @type {string} */ part) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [toGroups(head), toGroups(tail ?? '')];
  const groups =
    tail === undefined
      ? before
      : [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** @param {string} commonName */
function writeName(commonName) {
  return wrap(
    SEQUENCE,
    wrap(SET, wrap(SEQUENCE, readOid(OID.commonName), wrap(0x0c, Buffer.from(commonName, 'utf8')))),
  );
}

/**
 * Encodes a time as UTCTime until the end of 2049 and as GeneralizedTime from then on.
 * @param {Date} time
 */
function writeTime(time) {
  const digits = `${time.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;
  return time.getUTCFullYear() < 2050
    ? wrap(0x17, Buffer.from(digits.slice(2)))
    : wrap(0x18, Buffer.from(digits));
}

/** @param {import('node:crypto').KeyObject} key */
function hashKey(key) {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}

/** @param {string} hex the encoded value */
function readOid(hex) {
  return wrap(0x06, Buffer.from(hex, 'hex'));
}

/** @param {number} tag @param {Uint8Array[]} parts */
function wrap(tag, ...parts) {
  const body = Buffer.concat(parts);
  const length =
    body.length < 0x80
      ? [body.length]
      : body.length < 0x100
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
