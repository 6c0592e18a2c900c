/** The slots of a worker for jobs. A job that waits for a resource gives up its slot to another job. */
export interface JobSlots {
  /** Takes a slot for a job. Returns false when no slot is free or the job already has one. */
  take(jobId: string): boolean;
  setWaiting(jobId: string, isWaiting: boolean): void;
  leave(jobId: string): void;
}

/**
 * Creates the slots. `waitingMax` is the maximum number of jobs that may give up their slot while they wait.
 * It limits them because waiting jobs still hold sessions and memory.
 */
export function createJobSlots({
  atWorkMax,
  waitingMax,
}: {
  readonly atWorkMax: number;
  readonly waitingMax: number;
}): JobSlots {
  const taken = new Set<string>();
  const waiting = new Set<string>();
  return {
    take(jobId) {
      if (taken.has(jobId) || taken.size >= atWorkMax + Math.min(waiting.size, waitingMax)) return false;
      taken.add(jobId);
      return true;
    },
    setWaiting(jobId, isWaiting) {
      if (isWaiting && taken.has(jobId)) waiting.add(jobId);
      else waiting.delete(jobId);
    },
    leave(jobId) {
      taken.delete(jobId);
      waiting.delete(jobId);
    },
  };
}
