import { AppError } from '@rowhouse/errors';

const GIBIBYTE = 1024 ** 3;
/** The unpacked size that is always allowed. */
const FREE_BYTES = GIBIBYTE;
/** Dumps compress 5 to 20 times, and gzip reaches 1,000 with only zeros. */
const TIMES_MAX = 100;
const BYTES_MAX = 64 * GIBIBYTE;

/** Limits the unpacked size, so that a few compressed bytes do not take a worker's time for hours. */
export interface UnpackLimit {
  /** Counts compressed bytes that were read. */
  packed(bytes: number): void;
  /** Counts unpacked bytes. Throws `transfer.too_large`. */
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
