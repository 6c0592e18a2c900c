import type { Assignment } from './resolve/assignment.js';
import type { Statement } from './types.js';

/** A statement that the question may mean. A lower cost means that it is closer to the words. */
export interface Candidate extends Statement {
  readonly cost: number;
  readonly assignment: Assignment;
}

/**
 * An upper bound on the number of assignments of an interpretation.
 * It separates the position ranges of two interpretations.
 */
const PLACES_MAX = 1_000;

/** `position` is the position of the first assignment of this source. */
interface PositionedSource extends Source {
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

interface CandidatePath {
  readonly position: number;
  readonly assignment: Assignment;
}

/** An interpretation of the question before its names are assigned. */
export interface Source {
  /** A lower bound on the cost of its assignments. */
  readonly floor: number;
  readonly list: () => readonly Assignment[];
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
  #ways: CandidatePath[] = [];
  readonly #write: (assignment: Assignment) => Candidate | null;
  readonly #written = new Map<string, Written>();
  readonly #reported = new Set<string>();
  readonly #ranked: Candidate[] = [];
  #writes = 0;

  /**
   * @param write Returns the statement of an assignment, or null if none exists. The statement costs no
   *   less than the assignment.
   */
  constructor(sources: readonly Source[], write: (assignment: Assignment) => Candidate | null) {
    this.#sources = sources
      .map(({ floor, list }, index) => ({ floor, list, position: index * PLACES_MAX }))
      .sort((a, b) => b.floor - a.floor);
    this.#write = write;
  }

  /** The number of assignments written as statements so far. They make up most of the cost of a question. */
  get writes(): number {
    return this.#writes;
  }

  /** Returns the candidate at an index of the ranking, or undefined after the last one. */
  at(position: number): Candidate | undefined {
    while (this.#ranked.length <= position) {
      const next = this.#takeNext();
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
  #takeNext(): Candidate | null {
    for (;;) {
      const best = this.#findBest();
      this.#goIntoCheap(best?.candidate.cost ?? Number.POSITIVE_INFINITY);
      const method = this.#ways.at(-1);
      if (method === undefined || (best !== null && best.candidate.cost < method.assignment.cost)) {
        if (best === null) return null;
        if (this.#isTied(best) && this.#writeEarlier(best.position)) continue;
        this.#written.delete(best.key);
        this.#reported.add(best.key);
        return best.candidate;
      }
      this.#ways.pop();
      this.#add(method);
    }
  }

  /**
   * Expands every interpretation whose lower bound is at most
   * `cost` and at most the cost of the cheapest known assignment.
   */
  #goIntoCheap(cost: number): void {
    for (
      let source = this.#sources.at(-1);
      source !== undefined && source.floor <= Math.min(cost, this.#ways.at(-1)?.assignment.cost ?? cost);
      source = this.#sources.at(-1)
    ) {
      this.#sources.pop();
      this.#goInto([source]);
    }
  }

  #goInto(sources: readonly PositionedSource[]): void {
    const methods = sources.flatMap((source) =>
      source.list().map((assignment, index) => ({ position: source.position + index, assignment })),
    );
    this.#ways = [...this.#ways, ...methods].sort(
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
    this.#goInto(this.#sources.filter((source) => source.position < position));
    this.#sources = this.#sources.filter((source) => source.position >= position);
    const earlier = this.#ways.filter((method) => method.position < position);
    this.#ways = this.#ways.filter((method) => method.position >= position);
    for (const method of earlier) this.#add(method);
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

  #add({ position, assignment }: CandidatePath): void {
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
