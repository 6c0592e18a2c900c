import { deployAtOnce, deployInParts, type Deployer, type Mode, type Reached } from './deploy-sequences.js';
import { runPlain, type PlainRun, type PlainServer, type TakenSequence } from './plain-sequence.js';
import { listDifferences, readContents, type Contents } from './read-contents.js';
import { withoutLaterRows } from './without-later-rows.js';

export interface Verdict {
  readonly mode: Mode;
  /**
   * `refused` means that the change was rejected with an error code of `REFUSALS` and had no effect. `wrong`
   * means any other difference.
   */
  readonly kind: 'same' | 'refused' | 'wrong';
  readonly code: string;
  readonly details: readonly string[];
}

export interface SequenceRun {
  readonly sequence: TakenSequence;
  readonly verdicts: readonly Verdict[];
}

/**
 * Error codes with which a deploy intentionally rejects changes that a plain server makes. A rejection with
 * any other code counts as a difference.
 */
const REFUSALS = new Set(['schema.broken_object', 'schema.rename_not_possible']);

/** The result of a sequence on a plain server, with and without rows between its parts. */
interface Expected {
  readonly sequence: TakenSequence;
  readonly inParts: Contents;
  /** The contents after one deploy, derived from the result with rows. Null when they cannot be derived. */
  readonly inOneDeploy: Contents | null;
  /** Runs the sequence without inserting rows between its parts. */
  readonly runOnce: () => Promise<Contents>;
}

/**
 * After this number of sequences, one of them also runs what is otherwise derived from the plain server's
 * run.
 */
const CHECKED_EVERY = 20;

export function isCheckedWhole(seed: number): boolean {
  return seed % CHECKED_EVERY === 0;
}

/** Tests several sequences together. If the batch is rejected, they are tested one by one. */
export async function trySequences(
  deployer: Deployer,
  plain: PlainServer,
  taken: readonly PlainRun[],
  modes: readonly Mode[],
): Promise<SequenceRun[]> {
  const expected: Expected[] = [];
  for (const run of taken) expected.push(await expect(plain, run));
  const verdicts = new Map<TakenSequence, Verdict[]>(expected.map(({ sequence }) => [sequence, []]));
  // The single deploy runs after the others, so that it can use their results for the same statements.
  if (modes.includes('promote') || modes.includes('several deploys'))
    await tryMode(deployer, expected, deployInParts, verdicts);
  if (modes.includes('one deploy')) await tryMode(deployer, expected, deployAtOnce, verdicts);
  return expected.map(({ sequence }) => ({ sequence, verdicts: verdicts.get(sequence) ?? [] }));
}

async function expect(plain: PlainServer, { sequence, contents }: PlainRun): Promise<Expected> {
  let result: Contents | undefined;
  // If no rows are inserted in between, a server accepts at least the same statements.
  const runOnce = async (): Promise<Contents> =>
    (result ??= (await runPlain(plain, sequence, false)).contents);
  const inOneDeploy = withoutLaterRows(contents);
  if (inOneDeploy !== null && isCheckedWhole(sequence.seed)) {
    const wrong = listDifferences(await runOnce(), inOneDeploy);
    if (wrong.length > 0)
      throw new Error(`seed ${sequence.seed}, without rows in between: ${wrong.join('; ')}`);
  }
  return { sequence, inParts: contents, inOneDeploy, runOnce };
}

type DeployMethod = (deployer: Deployer, sequences: readonly TakenSequence[]) => Promise<Reached[]>;

async function tryMode(
  deployer: Deployer,
  expected: readonly Expected[],
  method: DeployMethod,
  verdicts: ReadonlyMap<TakenSequence, Verdict[]>,
): Promise<void> {
  const reached = await method(
    deployer,
    expected.map(({ sequence }) => sequence),
  );
  if (expected.length > 1 && reached.some(({ stop }) => stop !== null)) {
    await deployer.release();
    const half = Math.ceil(expected.length / 2);
    for (const part of [expected.slice(0, half), expected.slice(half)])
      await tryMode(deployer, part, method, verdicts);
    return;
  }
  for (const item of expected) {
    for (const end of reached) verdicts.get(item.sequence)?.push(await judge(deployer, item, end));
  }
  await deployer.release();
}

async function judge(
  deployer: Deployer,
  expected: Expected,
  { mode, database, stop }: Reached,
): Promise<Verdict> {
  if (stop !== null) {
    const isRejection = !stop.isBegun && REFUSALS.has(stop.code);
    return {
      mode,
      kind: isRejection ? 'refused' : 'wrong',
      code: stop.code,
      details: [`${stop.code}: ${stop.detail}`],
    };
  }
  const found = await readContents(
    await deployer.open(database),
    database.schemaName,
    expected.sequence.prefix,
  );
  const details = await compare(mode, expected, found);
  return { mode, kind: details.length === 0 ? 'same' : 'wrong', code: 'difference', details };
}

/**
 * Returns the differences between the expected and the found contents. Before differences are reported, the
 * found contents are compared with what the plain server itself returns.
 */
async function compare(mode: Mode, expected: Expected, found: Contents): Promise<string[]> {
  if (mode === 'several deploys') return listDifferences(expected.inParts, found);
  const isSame = expected.inOneDeploy !== null && listDifferences(expected.inOneDeploy, found).length === 0;
  return isSame ? [] : listDifferences(await expected.runOnce(), found);
}
