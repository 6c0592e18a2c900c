import type { Assignment } from './resolve/assignment.js';
import type { Statement } from './types.js';

/** A statement that the question may mean. The lower its cost, the more probable it is. */
export interface Candidate extends Statement {
  readonly cost: number;
  readonly assignment: Assignment;
}

/**
 * An upper bound for the number of assignments of an interpretation. The positions of the next interpretation
 * begin after this number.
 */
const ASSIGNMENTS_MAX = 1_000;

/**
 * An interpretation with the position of its first assignment. Assignments with equal costs are ordered by
 * position.
 */
interface PositionedSource extends InterpretationSource {
  readonly position: number;
}

interface Written {
  readonly key: string;
  /**
   * The position of the first assignment that results in this statement. Statements with equal costs are
   * ordered by position.
   */
  readonly position: number;
  readonly candidate: Candidate;
}

interface PendingAssignment {
  readonly position: number;
  readonly assignment: Assignment;
}

/** An interpretation of the question before tables and columns are assigned to its names. */
export interface InterpretationSource {
  /** No assignment of this interpretation costs less than this. */
  readonly lowerBound: number;
  readonly listAssignments: () => readonly Assignment[];
}

/**
 * Iterates over the statements that a question may mean, in the order of their costs. Each statement occurs
 * once, with the assignment that has the lowest cost.
 *
 * A statement costs at least as much as its assignment, and an assignment at least as much as the lower bound
 * of its interpretation. Interpretations are therefore expanded, and assignments written as SQL, only as far
 * as the caller iterates. Most of them have costs that are too high to be needed.
 */
export class RankedCandidates implements Iterable<Candidate> {
  /** The interpretations that are not yet expanded, in descending order of their lower bounds. */
  #sources: PositionedSource[];
  /** The assignments that are not yet written as SQL, in descending order of their costs. */
  #pending: PendingAssignment[] = [];
  readonly #write: (assignment: Assignment) => Candidate | null;
  readonly #written = new Map<string, Written>();
  readonly #reported = new Set<string>();
  readonly #ranked: Candidate[] = [];
  #writes = 0;

  /**
   * @param write returns the statement of an assignment, or null if the assignment has none; the statement
   * costs no
   *   less than the assignment.
   */
  constructor(sources: readonly InterpretationSource[], write: (assignment: Assignment) => Candidate | null) {
    this.#sources = sources
      .map(({ lowerBound, listAssignments }, index) => ({
        lowerBound,
        listAssignments,
        position: index * ASSIGNMENTS_MAX,
      }))
      .sort((a, b) => b.lowerBound - a.lowerBound);
    this.#write = write;
  }

  /**
   * The number of assignments that were written as statements so far. Writing them takes most of the time for
   * a question.
   */
  get writes(): number {
    return this.#writes;
  }

  /** Returns the candidate at an index of the ranking. Returns undefined after the last one. */
  at(position: number): Candidate | undefined {
    while (this.#ranked.length <= position) {
      const next = this.#findNext();
      if (next === null) return undefined;
      this.#ranked.push(next);
    }
    return this.#ranked[position];
  }

  *[Symbol.iterator](): Generator<Candidate, undefined> {
    for (let position = 0; ; position += 1) {
      const candidate = this.at(position);
      if (candidate === undefined) return undefined;
      yield candidate;
    }
  }

  /** Writes statements until no remaining assignment can cost less than the best statement. */
  #findNext(): Candidate | null {
    for (;;) {
      const best = this.#findBest();
      this.#expandUpTo(best?.candidate.cost ?? Number.POSITIVE_INFINITY);
      const next = this.#pending.at(-1);
      if (next === undefined || (best !== null && best.candidate.cost < next.assignment.cost)) {
        if (best === null) return null;
        if (this.#isTied(best) && this.#writeEarlier(best.position)) continue;
        this.#written.delete(best.key);
        this.#reported.add(best.key);
        return best.candidate;
      }
      this.#pending.pop();
      this.#add(next);
    }
  }

  /**
   * Expands every interpretation whose lower bound is at most `cost` and at most the cost of the best known
   * assignment.
   */
  #expandUpTo(cost: number): void {
    for (
      let source = this.#sources.at(-1);
      source !== undefined &&
      source.lowerBound <= Math.min(cost, this.#pending.at(-1)?.assignment.cost ?? cost);
      source = this.#sources.at(-1)
    ) {
      this.#sources.pop();
      this.#expand([source]);
    }
  }

  #expand(sources: readonly PositionedSource[]): void {
    const created = sources.flatMap((source) =>
      source
        .listAssignments()
        .map((assignment, index) => ({ position: source.position + index, assignment })),
    );
    this.#pending = [...this.#pending, ...created].sort(
      (a, b) => b.assignment.cost - a.assignment.cost || b.position - a.position,
    );
  }

  #isTied(best: Written): boolean {
    return [...this.#written.values()].some(
      (other) => other !== best && other.candidate.cost === best.candidate.cost,
    );
  }

  /**
   * Writes the remaining assignments with a position before `position`, because they may result in the same
   * statement. Among statements with equal costs, the one with the earliest assignment comes first, even if
   * that assignment has a high cost. Reports whether there were any.
   */
  #writeEarlier(position: number): boolean {
    this.#expand(this.#sources.filter((source) => source.position < position));
    this.#sources = this.#sources.filter((source) => source.position >= position);
    const earlier = this.#pending.filter((next) => next.position < position);
    this.#pending = this.#pending.filter((next) => next.position >= position);
    for (const next of earlier) this.#add(next);
    return earlier.length > 0;
  }

  #findBest(): Written | null {
    let best: Written | null = null;
    for (const written of this.#written.values()) {
      if (
        best === null ||
        written.candidate.cost < best.candidate.cost ||
        (written.candidate.cost === best.candidate.cost && written.position < best.position)
      )
        best = written;
    }
    return best;
  }

  #add({ position, assignment }: PendingAssignment): void {
    this.#writes += 1;
    const candidate = this.#write(assignment);
    if (candidate === null) return;
    const key = `${candidate.sql}\u0000${JSON.stringify(candidate.params)}`;
    if (this.#reported.has(key)) return;
    const known = this.#written.get(key);
    const isCloser =
      known === undefined ||
      candidate.cost < known.candidate.cost ||
      (candidate.cost === known.candidate.cost && position < known.position);
    this.#written.set(key, {
      key,
      position: Math.min(position, known?.position ?? position),
      candidate: isCloser ? candidate : known.candidate,
    });
  }
}
