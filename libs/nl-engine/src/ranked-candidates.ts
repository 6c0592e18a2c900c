import type { Assignment } from './resolve/assign.js';
import type { Statement } from './types.js';

/** One statement that the question may mean; the lower the cost, the closer to its words. */
export interface Candidate extends Statement {
  readonly cost: number;
  readonly assignment: Assignment;
}

interface Written {
  readonly key: string;
  /** Where the first way to take the question stands that comes to this statement: of equal costs, the earlier. */
  readonly place: number;
  readonly candidate: Candidate;
}

interface Way {
  readonly place: number;
  readonly assignment: Assignment;
}

/**
 * Statements that the question may mean, cheapest first, each once, by its cheapest way. A statement costs at least what its way of taking the
 * question does, so that ways are written as statements only as far as whoever asks goes on: most cost too much to be looked at.
 */
export class RankedCandidates implements Iterable<Candidate> {
  /** Ways that are not written yet, the cheapest last. */
  readonly #ways: Way[];
  readonly #write: (assignment: Assignment) => Candidate | null;
  readonly #written = new Map<string, Written>();
  readonly #told = new Set<string>();
  readonly #ranked: Candidate[] = [];

  /** `write`: the statement of a way, which costs no less than the way; null where there is none. */
  constructor(assignments: readonly Assignment[], write: (assignment: Assignment) => Candidate | null) {
    this.#ways = assignments.map((assignment, place) => ({ place, assignment })).sort((a, b) => b.assignment.cost - a.assignment.cost || b.place - a.place);
    this.#write = write;
  }

  /** The candidate at a place of the ranking; undefined behind the last. */
  at(place: number): Candidate | undefined {
    while (this.#ranked.length <= place) {
      const next = this.#takeNext();
      if (next === null) return undefined;
      this.#ranked.push(next);
    }
    return this.#ranked[place];
  }

  *[Symbol.iterator](): Generator<Candidate, undefined> {
    for (let place = 0; ; place += 1) {
      const candidate = this.at(place);
      if (candidate === undefined) return undefined;
      yield candidate;
    }
  }

  /** Writes on until nothing that is still to be written can be as cheap as the cheapest that is. */
  #takeNext(): Candidate | null {
    for (;;) {
      const best = this.#findBest();
      const way = this.#ways.at(-1);
      if (way === undefined || (best !== null && best.candidate.cost < way.assignment.cost)) {
        if (best === null) return null;
        this.#written.delete(best.key);
        this.#told.add(best.key);
        return best.candidate;
      }
      this.#ways.pop();
      this.#add(way);
    }
  }

  #findBest(): Written | null {
    let best: Written | null = null;
    for (const written of this.#written.values()) {
      if (best === null || written.candidate.cost < best.candidate.cost || (written.candidate.cost === best.candidate.cost && written.place < best.place)) best = written;
    }
    return best;
  }

  #add({ place, assignment }: Way): void {
    const candidate = this.#write(assignment);
    if (candidate === null) return;
    const key = `${candidate.sql}\u0000${JSON.stringify(candidate.params)}`;
    if (this.#told.has(key)) return;
    const known = this.#written.get(key);
    const isCloser = known === undefined || candidate.cost < known.candidate.cost || (candidate.cost === known.candidate.cost && place < known.place);
    this.#written.set(key, { key, place: Math.min(place, known?.place ?? place), candidate: isCloser ? candidate : known.candidate });
  }
}
