import { listCodeTables, type Snapshot } from '@rowhouse/schema-model';
import { readSnapshot, type SizedSnapshot } from './snapshot-codec.js';

/** A decoded snapshot. Several databases may share it, such as development, production and clones. */
export interface SharedContent {
  readonly contentHash: string;
  readonly snapshot: Snapshot;
  /** Tables for which a statement may run code that changes the session. */
  readonly codeTables: readonly string[];
  /** The estimated memory of the content in bytes. */
  readonly bytes: number;
  /** The maximum estimated memory, in bytes, of one view of this content that is compiled for a database. */
  readonly viewBytes: number;
  users: number;
}

/** A cache for the contents that databases use. A content that no database uses is removed immediately. */
export interface ContentCache {
  /**
   * Returns the content with this hash and adds one user. If it is not in memory, it is read. Callers at the
   * same time share one read. Throws if the content does not exist.
   */
  acquire(contentHash: string): Promise<SharedContent>;
  release(content: SharedContent): void;
  bytes(): number;
}

/**
 * The measured ratio of memory to text. A text of 38 KB takes 197 KB after parsing and compiling it
 * completely.
 */
const BYTES_PER_PLAIN_BYTE = 2;
const VIEW_BYTES_PER_PLAIN_BYTE = 3;
/**
 * The minimum memory of a view in bytes, for the plans, lists and writers that requests add to it. It was
 * measured with two tables that were queried in four ways.
 */
const VIEW_BYTES_MIN = 8 * 1024;

/**
 * Creates a cache for contents.
 * @param readBody reads the stored body; returns null if it does not exist
 */
export function createContentCache(readBody: (contentHash: string) => Promise<Buffer | null>): ContentCache {
  const contents = new Map<string, SharedContent>();
  const reads = new Map<string, Promise<SizedSnapshot>>();
  let total = 0;

  async function read(contentHash: string): Promise<SizedSnapshot> {
    const body = await readBody(contentHash);
    if (body === null) throw new Error(`the snapshot content ${contentHash} does not exist`);
    return readSnapshot(body, contentHash);
  }

  function readOnce(contentHash: string): Promise<SizedSnapshot> {
    let pending = reads.get(contentHash);
    if (pending === undefined) {
      pending = read(contentHash).finally(() => reads.delete(contentHash));
      reads.set(contentHash, pending);
    }
    return pending;
  }

  function add(contentHash: string, { snapshot, plainBytes }: SizedSnapshot): SharedContent {
    const content: SharedContent = {
      contentHash,
      snapshot,
      codeTables: listCodeTables(snapshot),
      bytes: plainBytes * BYTES_PER_PLAIN_BYTE,
      viewBytes: VIEW_BYTES_MIN + plainBytes * VIEW_BYTES_PER_PLAIN_BYTE,
      users: 0,
    };
    contents.set(contentHash, content);
    total += content.bytes;
    return content;
  }

  return {
    async acquire(contentHash) {
      let content = contents.get(contentHash);
      if (content === undefined) {
        const snapshot = await readOnce(contentHash);
        // Another caller that shared the read may already have added the content.
        content = contents.get(contentHash) ?? add(contentHash, snapshot);
      }
      content.users += 1;
      return content;
    },
    release(content) {
      content.users -= 1;
      if (content.users > 0) return;
      contents.delete(content.contentHash);
      total -= content.bytes;
    },
    bytes: () => total,
  };
}
