import { listCodeTables, type Snapshot } from '@rowhouse/schema-model';

/** A decoded snapshot that several databases may share (development and production, clones). */
export interface SharedContent {
  readonly contentHash: string;
  readonly snapshot: Snapshot;
  /** Tables whose statements may change the session that they run on. */
  readonly codeTables: readonly string[];
  /** What it is thought to take in memory. */
  readonly bytes: number;
  /** What each view of each database that is compiled from it is thought to take, at most. */
  readonly viewBytes: number;
  users: number;
}

/** Contents in use, counted by bytes. A content without users is gone at once. */
export interface ContentCache {
  find(contentHash: string): SharedContent | undefined;
  /** The content under this hash, with one user more. */
  acquire(contentHash: string, snapshot: Snapshot, plainBytes: number): SharedContent;
  release(content: SharedContent): void;
  bytes(): number;
}

/** Measured: 38 KB of text become 197 KB when parsed and all compiled. */
const BYTES_PER_PLAIN_BYTE = 2;
const VIEW_BYTES_PER_PLAIN_BYTE = 3;
/** Measured, of two tables asked in four ways: the plans, lists and writers that requests leave with a view, however small it is. */
const VIEW_BYTES_MIN = 8 * 1024;

export function createContentCache(): ContentCache {
  const contents = new Map<string, SharedContent>();
  let total = 0;
  return {
    find: (contentHash) => contents.get(contentHash),
    acquire(contentHash, snapshot, plainBytes) {
      let content = contents.get(contentHash);
      if (content === undefined) {
        content = { contentHash, snapshot, codeTables: listCodeTables(snapshot), bytes: plainBytes * BYTES_PER_PLAIN_BYTE, viewBytes: VIEW_BYTES_MIN + plainBytes * VIEW_BYTES_PER_PLAIN_BYTE, users: 0 };
        contents.set(contentHash, content);
        total += content.bytes;
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
