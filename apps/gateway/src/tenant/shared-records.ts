import type { KeyObject } from 'node:crypto';
import {
  columnValuesKey,
  columnValuesPurpose,
  databaseRecordKey,
  keyRecordKey,
  SHARED_CACHE_TTL_SECONDS,
  snapshotContentKey,
  translationKey,
  type DatabaseRecord,
  type KeyRecord,
} from '@rowhouse/contracts';
import { signRecord, verifyRecord, type RecordLabel, type SecretBox } from '@rowhouse/credentials';
import type { RedisClient } from '@rowhouse/queue';

/** A record, and the change-log sequence number up to which it is current. */
export interface DatedRecord<T> {
  readonly value: T;
  readonly asOfSeq: number;
}

/**
 * The cache in Redis that all gateways of a cell share. A value is only trusted with a valid HMAC. Reads
 * return null when Redis is slow or unavailable. Writes do not wait and never fail.
 */
export interface SharedRecords {
  readKey(keyHash: string): Promise<DatedRecord<KeyRecord> | null>;
  writeKey(keyHash: string, record: KeyRecord, asOfSeq: number): void;
  readDatabase(databaseId: string): Promise<DatedRecord<DatabaseRecord> | null>;
  writeDatabase(record: DatabaseRecord, asOfSeq: number): void;
  readSnapshotBody(contentHash: string): Promise<Buffer | null>;
  writeSnapshotBody(contentHash: string, body: Buffer): void;
  /** Reads values of a tenant's rows. They are encrypted, because Redis may be readable by others. */
  readColumnValues(databaseId: string, version: number): Promise<string | null>;
  writeColumnValues(databaseId: string, version: number, text: string): void;
  /**
   * Reads a model's response to the question with the digest `name`. It is encrypted, because it contains the
   * user's text.
   */
  readTranslation(databaseId: string, name: string): Promise<string | null>;
  writeTranslation(databaseId: string, name: string, text: string): void;
}

const READ_TIMEOUT_MS = 150;
/** The maximum size of a cached snapshot, in bytes. A larger one is read from the platform database. */
const SNAPSHOT_BYTES_MAX = 4 * 1024 * 1024;
/**
 * The maximum bytes read for one value, including its HMAC. A value that someone else stored may be larger.
 */
const STORED_BYTES_MAX = SNAPSHOT_BYTES_MAX + 1_024;

/** The lifetime of a translation. It is a day, because the name of a translation includes the date. */
const TRANSLATION_TTL_SECONDS = 86_400;

export function createSharedRecords(
  redis: RedisClient,
  {
    recordKey,
    box,
    cellId,
  }: { readonly recordKey: KeyObject; readonly box: SecretBox; readonly cellId: string },
): SharedRecords {
  /** If the key is missing, Redis returns an empty buffer. If the value is cut off, its HMAC is invalid. */
  const fetchStored = (name: string): Promise<Buffer | null> =>
    orTimeout(redis.getrangeBuffer(name, 0, STORED_BYTES_MAX - 1), READ_TIMEOUT_MS);

  async function read(name: string, label: RecordLabel): Promise<{ asOfSeq: number; body: Buffer } | null> {
    const stored = await fetchStored(name);
    return stored === null ? null : verifyRecord(recordKey, label, stored);
  }

  function write(name: string, label: RecordLabel, asOfSeq: number, body: Buffer): void {
    redis
      .set(name, signRecord(recordKey, label, asOfSeq, body), 'EX', SHARED_CACHE_TTL_SECONDS)
      .catch(() => undefined);
  }

  async function readJson<T>(name: string, label: RecordLabel): Promise<DatedRecord<T> | null> {
    const found = await read(name, label);
    return found === null
      ? null
      : { value: JSON.parse(found.body.toString('utf8')) as T, asOfSeq: found.asOfSeq };
  }

  async function readSealed(name: string, purpose: string): Promise<string | null> {
    const sealed = await fetchStored(name);
    if (sealed === null || sealed.length === 0) return null;
    try {
      return box.open(sealed, purpose);
    } catch {
      // The value cannot be decrypted, so another version or another installation has written it.
      return null;
    }
  }

  function writeSealed(name: string, purpose: string, text: string, seconds: number): void {
    redis.set(name, box.seal(text, purpose), 'EX', seconds).catch(() => undefined);
  }

  return {
    readKey: (keyHash) => readJson(keyRecordKey(cellId, keyHash), { kind: 'key', id: keyHash }),
    writeKey: (keyHash, record, asOfSeq) =>
      write(
        keyRecordKey(cellId, keyHash),
        { kind: 'key', id: keyHash },
        asOfSeq,
        Buffer.from(JSON.stringify(record)),
      ),
    readDatabase: (databaseId) =>
      readJson(databaseRecordKey(cellId, databaseId), { kind: 'database', id: databaseId }),
    writeDatabase: (record, asOfSeq) =>
      write(
        databaseRecordKey(cellId, record.id),
        { kind: 'database', id: record.id },
        asOfSeq,
        Buffer.from(JSON.stringify(record)),
      ),
    async readSnapshotBody(contentHash) {
      return (
        (await read(snapshotContentKey(cellId, contentHash), { kind: 'snapshot', id: contentHash }))?.body ??
        null
      );
    },
    writeSnapshotBody(contentHash, body) {
      if (body.length <= SNAPSHOT_BYTES_MAX)
        write(snapshotContentKey(cellId, contentHash), { kind: 'snapshot', id: contentHash }, 0, body);
    },
    readColumnValues: (databaseId, version) =>
      readSealed(columnValuesKey(cellId, databaseId), columnValuesPurpose(databaseId, version)),
    writeColumnValues: (databaseId, version, text) =>
      writeSealed(
        columnValuesKey(cellId, databaseId),
        columnValuesPurpose(databaseId, version),
        text,
        SHARED_CACHE_TTL_SECONDS,
      ),
    readTranslation: (databaseId, name) =>
      readSealed(translationKey(cellId, databaseId, name), `translation:${databaseId}:${name}`),
    writeTranslation: (databaseId, name, text) =>
      writeSealed(
        translationKey(cellId, databaseId, name),
        `translation:${databaseId}:${name}`,
        text,
        TRANSLATION_TTL_SECONDS,
      ),
  };
}

/** Resolves to the promise's value, or to null if the promise rejects or takes longer than the time limit. */
async function orTimeout<T>(pending: Promise<T | null>, timeoutMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  try {
    return await Promise.race([pending.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
