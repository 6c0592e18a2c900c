/** A budget of bytes that holders share. */
export interface ByteBudget<Holder> {
  /** Takes bytes for the holder. Returns false, and takes nothing, when the budget has too few left. */
  take(holder: Holder, bytes: number): boolean;
  give(holder: Holder, bytes: number): void;
}

/** The bytes of one body or of one stream, charged to a budget while they are in memory. */
export interface ByteReservation {
  /** Sets the size to `bytes`. Returns false, and changes nothing, when the budget has too few bytes left. */
  resize(bytes: number): boolean;
  /** Returns all bytes to the budget. May be called again. */
  end(): void;
}

/** Opens a reservation. The first `freeBytes` are not charged, so that a short body is always accepted. */
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
