/**
 * Loaded before a program, with `--expose-gc`: answers each message of its parent with the memory that the program has once everything that
 * it does not need is collected.
 */
process.on('message', () => {
  const resident = process.memoryUsage.rss();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ live: heapUsed + external, resident } satisfies Memory);
});

/** in bytes */
export interface Memory {
  /** what is in use */
  live: number;
  /** what the process had of the machine, with what waits to be collected */
  resident: number;
}
