/** What stands in a run's report for each file that was left out, since the time of the whole run was nearly up. */
export const TOO_LATE = 'was left out, since the time was nearly up';
