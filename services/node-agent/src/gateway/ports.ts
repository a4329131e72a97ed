export type PortRange = readonly [first: number, last: number];

/**
 * Where to try to listen, in turn: at the port that is wanted (0: any), then wherever else it may be. A range is gone through from
 * anywhere in it: other gateways of the machine look for a port there at the same time.
 */
export function portsToTry(wanted: number, range?: PortRange): number[] {
  if (range === undefined) return wanted === 0 ? [0] : [wanted, 0];
  const [first, last] = range;
  const count = last - first + 1;
  const start = Math.floor(Math.random() * count);
  const all = Array.from({ length: count }, (_, index) => first + ((start + index) % count));
  return all.includes(wanted) ? [wanted, ...all.filter((port) => port !== wanted)] : all;
}

/**
 * What `listen` opens at the first of these ports that is free; the operating system decides races.
 * @returns undefined when none is
 */
export async function atFreePort<Opened>(
  ports: readonly number[],
  listen: (port: number) => Promise<Opened>,
): Promise<Opened | undefined> {
  for (const port of ports) {
    try {
      return await listen(port);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (port === 0 || !['EADDRINUSE', 'EACCES'].includes(code)) throw error;
    }
  }
  return undefined;
}
