import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@rowhouse/errors';
import { ROWS_TYPES, type RowsFormat } from '@rowhouse/rest-engine';

/** Returns the format of a body with many records, or null for other content types. */
export function readRowsType(contentType: string | undefined): RowsFormat | null {
  if (contentType === undefined) return null;
  return ROWS_TYPES.get((contentType.split(';', 1)[0] ?? '').trim().toLowerCase()) ?? null;
}

/** Returns whether the records must be stored in parts as they arrive. */
export function isImport(headers: IncomingHttpHeaders): boolean {
  const prefer: string | readonly string[] | undefined = headers['prefer'];
  return (
    prefer !== undefined &&
    /(?:^|,)\s*on-error\s*=/i.test(typeof prefer === 'string' ? prefer : prefer.join(','))
  );
}

/**
 * Checks the headers of a body of records.
 *
 * @throws AppError 415 for a compressed body, another character set, or CSV without a header
 */
export function checkRowsType(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new AppError('request.compressed_body', { hint: 'Send the body without Content-Encoding.' });
  for (const parameter of (headers['content-type'] ?? '').toLowerCase().split(';').slice(1)) {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim().replace(/^"(.*)"$/, '$1'));
    if (name === 'charset' && value !== 'utf-8' && value !== 'utf8' && value !== 'us-ascii') {
      throw new AppError('request.unsupported_type', {
        detail: `The body must be UTF-8, not ${value}.`,
        hint: `Convert the file: iconv -f ${value.replace(/[^a-z0-9_-]/g, '')} -t utf-8`,
      });
    }
    if (name === 'header' && value === 'absent')
      throw new AppError('request.unsupported_type', {
        detail: 'CSV must start with a line of column names.',
      });
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns null when the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** Returns a decoder for pieces that may be split within a character. */
export function openUtf8(): (chunk: Uint8Array, isLast: boolean) => string | null {
  const parts = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return (chunk, isLast) => {
    try {
      return parts.decode(chunk, { stream: !isLast });
    } catch {
      return null;
    }
  };
}
