/** The places that a worker has for jobs. One that waits for what others hold leaves its own to another. */
export interface JobPlaces {
  /** False when there is none, or the job has one. */
  take(jobId: string): boolean;
  setWaiting(jobId: string, isWaiting: boolean): void;
  leave(jobId: string): void;
}

/** `waitingMax`: as many give up theirs; each holds sessions and memory all the same. */
export function createJobPlaces({ atWorkMax, waitingMax }: { readonly atWorkMax: number; readonly waitingMax: number }): JobPlaces {
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
