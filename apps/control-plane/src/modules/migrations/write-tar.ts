const BLOCK = 512;

export interface TarFile {
  /** At most 100 characters of ASCII. */
  readonly name: string;
  readonly text: string;
  readonly at: Date;
}

/** Plain text files as an archive of the ustar form. */
export function writeTar(files: readonly TarFile[]): Buffer {
  const parts = files.flatMap(({ name, text, at }) => {
    const body = Buffer.from(text);
    return [writeHeader(name, body.length, at), body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function writeHeader(name: string, size: number, at: Date): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
  header.write(name, 0, 100, 'ascii');
  header.write(octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(Math.floor(at.getTime() / 1_000), 12), 100, 'ascii');
  // The checksum is taken with blanks in its own place.
  header.write('        0', 148, 'ascii');
  header.write('ustar\x0000', 257, 'ascii');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  return header;
}
