/** The entry in a run's report for each file that was left out because time was nearly up. */
export const TOO_LATE = 'was left out, since the time was nearly up';
