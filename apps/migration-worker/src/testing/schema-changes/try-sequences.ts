import { deployAtOnce, deployInParts, type Deployer, type Mode, type Reached } from './deploy-sequences.js';
import { runPlain, type PlainRun, type PlainServer, type TakenSequence } from './plain-sequence.js';
import { listDifferences, readContents, type Contents } from './read-contents.js';

export interface Verdict {
  readonly mode: Mode;
  /** `rejected` means a code of `REFUSALS` without an effect. `wrong` means any other difference. */
  readonly kind: 'same' | 'refused' | 'wrong';
  readonly code: string;
  readonly details: readonly string[];
}

export interface SequenceRun {
  readonly sequence: TakenSequence;
  readonly verdicts: readonly Verdict[];
}

/**
 * Codes of changes that a server makes and a deploy rejects intentionally.
 * Any other rejection is a difference.
 */
const REFUSALS = new Set(['schema.broken_object', 'schema.rename_not_possible']);

/** The result of a sequence on a plain server, with and without rows between its parts. */
interface Expected {
  readonly sequence: TakenSequence;
  readonly inOneDeploy: Contents;
  readonly inParts: Contents;
}

/** Tries sequences together. If a batch is rejected, they are tried one by one. */
export async function trySequences(
  deployer: Deployer,
  plain: PlainServer,
  taken: readonly PlainRun[],
  modes: readonly Mode[],
): Promise<SequenceRun[]> {
  const expected: Expected[] = [];
  for (const { sequence, contents } of taken) {
    // Without the rows in between, a server accepts at least the same statements.
    const inOneDeploy = modes.some((mode) => mode !== 'several deploys')
      ? (await runPlain(plain, sequence, false)).contents
      : contents;
    expected.push({ sequence, inParts: contents, inOneDeploy });
  }
  const verdicts = new Map<TakenSequence, Verdict[]>(expected.map(({ sequence }) => [sequence, []]));
  if (modes.includes('one deploy')) await tryMode(deployer, expected, deployAtOnce, verdicts);
  if (modes.includes('promote') || modes.includes('several deploys'))
    await tryMode(deployer, expected, deployInParts, verdicts);
  return expected.map(({ sequence }) => ({ sequence, verdicts: verdicts.get(sequence) ?? [] }));
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
  { root }: Deployer,
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
  const found = await readContents(root, database.schemaName, expected.sequence.prefix);
  const details = listDifferences(
    mode === 'several deploys' ? expected.inParts : expected.inOneDeploy,
    found,
  );
  return { mode, kind: details.length === 0 ? 'same' : 'wrong', code: 'difference', details };
}
