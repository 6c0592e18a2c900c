const BLOCK = 512;
/** The number of bytes in one chunk of the archive. */
const PIECE_BYTES = 256 * 1024;

export interface TarFile {
  readonly name: string;
  readonly text: string;
  readonly at: Date;
}

/** Writes text files as a ustar archive in chunks. Long names get pax headers. */
export function* writeTar(files: Iterable<TarFile>): Generator<Buffer, void> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for (const { name, text, at: date } of files) {
    for (const part of [
      ...(isPlain(name) ? [] : writePaxName(name, date)),
      ...writeEntry(isPlain(name) ? name : 'file', Buffer.from(text), date),
    ]) {
      parts.push(part);
      bytes += part.length;
    }
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(parts);
    [parts, bytes] = [[], 0];
  }
  yield Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function isPlain(name: string): boolean {
  return name.length <= 100 && /^[\x20-\x7e]*$/.test(name);
}

/** Writes a pax record `12 path=a\n`. The number at the start is the record's own length in bytes. */
function writePaxName(name: string, date: Date): Buffer[] {
  const rest = ` path=${name}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + String(bytes).length;
  if (bytes + String(length).length > length) length += 1;
  return writeEntry('name', Buffer.from(`${length}${rest}`), date, 'x');
}

function writeEntry(name: string, body: Buffer, date: Date, type = '0'): Buffer[] {
  return [
    writeHeader(name, body.length, date, type),
    body,
    Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK),
  ];
}

function writeHeader(name: string, size: number, date: Date, type: string): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
  header.write(name, 0, 100, 'ascii');
  header.write(
    octal(0o644, 8) +
      octal(0, 8) +
      octal(0, 8) +
      octal(size, 12) +
      octal(Math.floor(date.getTime() / 1_000), 12),
    100,
    'ascii',
  );
  // The checksum is computed while its own field contains blanks.
  header.write(`        ${type}`, 148, 'ascii');
  header.write('ustar\x0000', 257, 'ascii');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  return header;
}
