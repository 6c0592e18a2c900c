import type { Snapshot } from '@rowhouse/schema-model';

/** One row of `working_schema`: the schema as JSON text, which may have megabytes. */
export interface StoredRevision {
  readonly revision: number;
  readonly snapshot: string;
}

/** What stands further back is not looked for. */
const REVISIONS_MAX = 50;
/** Of the texts together. */
const CHARS_MAX = 64 * 1024 * 1024;
/** Above any revision. */
const REVISION_MAX = 4_294_967_295;

/**
 * The schemas of the revisions of a draft, newest first, 50 or about 64 million characters at most. Each is read when it is
 * asked for: who has found what was looked for reads no more. `readNewestBefore`: the newest revision below a number, null
 * when there is none.
 */
export async function* readRevisions(readNewestBefore: (revision: number) => Promise<StoredRevision | null>): AsyncGenerator<Snapshot, void, void> {
  let [before, charsLeft] = [REVISION_MAX, CHARS_MAX];
  for (let read = 0; read < REVISIONS_MAX && charsLeft > 0; read += 1) {
    const row = await readNewestBefore(before);
    if (row === null) return;
    [before, charsLeft] = [row.revision, charsLeft - row.snapshot.length];
    yield JSON.parse(row.snapshot) as Snapshot;
  }
}
