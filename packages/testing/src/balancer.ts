import { connect } from 'node:net';
import { passOn } from './passed-on.ts';

/** One address for several servers, as a load balancer gives it. */
export interface Balancer {
  url: string;
  close(): void;
}

/** Passes each connection on to one of the servers whose URLs `targets` names at that time, in turn. */
export async function balancer(targets: () => readonly string[]): Promise<Balancer> {
  let turn = 0;
  const { port, close } = await passOn(() => {
    const urls = targets();
    const target = urls[turn++ % urls.length];
    return target === undefined ? undefined : connect(Number(new URL(target).port), '127.0.0.1');
  });
  return { url: `http://127.0.0.1:${port}`, close };
}
