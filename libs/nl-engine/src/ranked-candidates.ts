import type { Assignment } from './resolve/assignment.js';
import type { Statement } from './types.js';

/** A statement that the question may mean. A lower cost means that it is more likely. */
export interface Candidate extends Statement {
  readonly cost: number;
  readonly assignment: Assignment;
}

/**
 * An upper bound on the number of assignments of an interpretation. Positions of
 * the next interpretation start after this number.
 */
const ASSIGNMENTS_MAX = 1_000;

/** `position` is the rank of the first assignment of this interpretation before costs are compared. */
interface PositionedSource extends InterpretationSource {
  readonly position: number;
}

interface Written {
  readonly key: string;
  /**
   * The position of the first assignment that leads to this statement.
   * It decides between statements of equal cost.
   */
  readonly position: number;
  readonly candidate: Candidate;
}

interface PendingAssignment {
  readonly position: number;
  readonly assignment: Assignment;
}

/** An interpretation of the question before its names are assigned. */
export interface InterpretationSource {
  /** A lower bound on the cost of its assignments. */
  readonly lowerBound: number;
  readonly listAssignments: () => readonly Assignment[];
}

/**
 * Iterates over the statements that a question may mean, cheapest first.
 * Each statement appears once, with its cheapest assignment.
 *
 * A statement costs at least as much as its assignment, and an assignment at least as much as the lower bound
 * of its interpretation. Interpretations are therefore expanded, and assignments written as SQL, only as far
 * as the caller iterates. Most of them cost too much to be needed.
 */
export class RankedCandidates implements Iterable<Candidate> {
  /** Interpretations that have not been expanded, in descending order of their lower bounds. */
  #sources: PositionedSource[];
  /** Assignments that have not been written as SQL, in descending order of cost. */
  #pending: PendingAssignment[] = [];
  readonly #write: (assignment: Assignment) => Candidate | null;
  readonly #written = new Map<string, Written>();
  readonly #reported = new Set<string>();
  readonly #ranked: Candidate[] = [];
  #writes = 0;

  /**
   * @param write Returns the statement of an assignment, or null if none exists. The statement costs no
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

  /** The number of assignments written as statements so far. They make up most of the cost of a question. */
  get writes(): number {
    return this.#writes;
  }

  /** Returns the candidate at an index of the ranking, or undefined after the last one. */
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

  /** Writes statements until no remaining assignment can be cheaper than the cheapest statement. */
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
   * Expands every interpretation whose lower bound is at most
   * `cost` and at most the cost of the cheapest known assignment.
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
   * Writes the remaining assignments that come before `position`, since they may lead to the
   * same statement. Among statements of equal cost, the one with the earliest assignment
   * comes first, even if that assignment is expensive. Returns whether there were any.
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
