/** The supervisor's clock, as known from its answers. Times are milliseconds since 1970. */
export interface SupervisorClock {
  /** Before the first answer, this machine's clock. */
  now(): number;
  readonly offset: number;
  /**
   * Takes in an answer that took `elapsed` milliseconds and tells when, by the supervisor's clock, the supervisor had the
   * request.
   */
  learn(time: string | string[] | undefined, elapsed: number): void;
}

/**
 * The supervisor reads its clock at an unknown instant between request and answer, and may hold a request for half a minute. So an
 * answer only gives bounds of the offset; within them it stays as it was, which is also why a right clock is never touched. It is not
 * kept: the next agent learns it again.
 *
 * An offset has no limit: only the supervisor, or a server in its place, can send a false time, and both can do worse.
 */
export function createSupervisorClock(): SupervisorClock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    get offset() {
      return offset;
    },
    learn: (time, elapsed) => {
      if (typeof time !== 'string' || !/^\d{1,15}$/.test(time)) return;
      const least = Number(time) - Date.now();
      offset = Math.max(least, Math.min(offset, least + elapsed));
    },
  };
}
