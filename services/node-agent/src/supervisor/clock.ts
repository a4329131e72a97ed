/** The supervisor's clock, as far as its answers have told it. Times are milliseconds since 1970. */
export interface SupervisorClock {
  /** What the supervisor's clock shows now. Before the first answer, what this machine's does. */
  now(): number;
  /** What has to be added to this machine's clock. */
  readonly offset: number;
  /**
   * Takes in an answer that took `elapsed` milliseconds and tells when, by the supervisor's clock, the supervisor had the
   * request.
   */
  learn(told: string | string[] | undefined, elapsed: number): void;
}

/**
 * At which instant between the request and the answer the supervisor looked at its clock nobody knows, and a request
 * may be held for half a minute. So an answer only says between which bounds the offset is; within them it is left as it
 * was, which is also why a right clock is never touched. Nothing of it is kept: the next agent learns it anew.
 *
 * An offset has no limit. Who could tell a false one is the supervisor, or somebody in the place of it, and can do worse.
 */
export function createSupervisorClock(): SupervisorClock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    get offset() {
      return offset;
    },
    learn: (told, elapsed) => {
      if (typeof told !== 'string' || !/^\d{1,15}$/.test(told)) return;
      const least = Number(told) - Date.now();
      offset = Math.max(least, Math.min(offset, least + elapsed));
    },
  };
}
