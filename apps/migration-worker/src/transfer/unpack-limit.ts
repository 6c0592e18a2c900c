import { AppError } from '@rowhouse/errors';

const GIBIBYTE = 1024 ** 3;
/** The number of unpacked bytes that is always allowed. */
const FREE_BYTES = GIBIBYTE;
/**
 * The maximum ratio of unpacked to packed bytes. Dumps are compressed by a factor of 5 to 20. With gzip, a
 * file of zeros reaches a factor of 1,000.
 */
const TIMES_MAX = 100;
const BYTES_MAX = 64 * GIBIBYTE;

/** Limits the unpacked size, so that a small compressed file does not occupy a worker for hours. */
export interface UnpackLimit {
  /** Adds the number of compressed bytes that were read. */
  packed(bytes: number): void;
  /** Adds the number of unpacked bytes. Throws `transfer.too_large` above the limit. */
  plain(bytes: number): void;
}

export function createUnpackLimit(): UnpackLimit {
  let packedBytes = 0;
  let plainBytes = 0;
  return {
    packed: (bytes) => void (packedBytes += bytes),
    plain(bytes) {
      plainBytes += bytes;
      if (plainBytes > BYTES_MAX)
        throw new AppError('transfer.too_large', {
          detail: 'The dump is larger than 64 GiB.',
          hint: 'Upload it in parts.',
        });
      if (plainBytes <= FREE_BYTES || plainBytes <= packedBytes * TIMES_MAX) return;
      throw new AppError('transfer.too_large', {
        detail: `The unpacked dump is larger than 1 GiB and more than ${TIMES_MAX} times its compressed size.`,
        hint: 'Upload it in parts of up to 1 GiB each, unpacked.',
      });
    },
  };
}
