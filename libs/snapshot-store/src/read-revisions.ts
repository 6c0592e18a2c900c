import type { Snapshot } from '@rowhouse/schema-model';

/** A row of `working_schema`. It contains the schema as JSON text, which may have several megabytes. */
export interface StoredRevision {
  readonly revision: number;
  readonly snapshot: string;
}

/** The maximum number of revisions to read. Older revisions are ignored. */
const REVISIONS_MAX = 50;
/** The maximum number of characters in all texts together. */
const CHARS_MAX = 64 * 1024 * 1024;
/** A number above that of any revision. */
const REVISION_MAX = 4_294_967_295;

/**
 * Yields the schemas of a draft's revisions, with the newest first. It yields at most 50 revisions, or about
 * 64 million characters. Each revision is read when it is needed, so that a caller can stop early.
 * `readNewestBefore` returns the newest revision below a number, or null.
 */
export async function* readRevisions(
  readNewestBefore: (revision: number) => Promise<StoredRevision | null>,
): AsyncGenerator<Snapshot, void, void> {
  let [before, charsRemaining] = [REVISION_MAX, CHARS_MAX];
  for (let read = 0; read < REVISIONS_MAX && charsRemaining > 0; read += 1) {
    const row = await readNewestBefore(before);
    if (row === null) return;
    [before, charsRemaining] = [row.revision, charsRemaining - row.snapshot.length];
    yield JSON.parse(row.snapshot) as Snapshot;
  }
}
