/** A budget of bytes that several holders share. */
export interface ByteBudget<Holder> {
  /** Takes bytes from the budget for a holder. Returns false and takes nothing if too few are left. */
  take(holder: Holder, bytes: number): boolean;
  give(holder: Holder, bytes: number): void;
}

/** The bytes that one body or stream currently takes from a budget. */
export interface ByteReservation {
  /** Changes the size to `bytes`. Returns false and changes nothing if the budget has too few bytes left. */
  resize(bytes: number): boolean;
  /** Returns all bytes to the budget. It can be called several times. */
  end(): void;
}

/**
 * Creates a reservation. The first `freeBytes` are not charged to the budget, so that a short body is always
 * accepted.
 */
export function openReservation<Holder>(
  budget: ByteBudget<Holder>,
  holder: Holder,
  freeBytes: number,
): ByteReservation {
  let charged = 0;
  return {
    resize(bytes) {
      const more = Math.max(0, bytes - freeBytes) - charged;
      if (more > 0 && !budget.take(holder, more)) return false;
      if (more < 0) budget.give(holder, -more);
      charged += more;
      return true;
    },
    end() {
      if (charged > 0) budget.give(holder, charged);
      charged = 0;
    },
  };
}
