import { setTimeout as delay } from 'node:timers/promises';
import { CannotStart, isPortFree } from '@sluice/embedded';

export interface PortUse {
  port: number;
  /** what is to listen there */
  name: string;
}

/** Throws `CannotStart` that names the first port in use. */
export async function checkPorts(uses: readonly PortUse[]): Promise<void> {
  for (const { port, name } of uses) {
    if (await isPortFree(port)) continue;
    throw new CannotStart(
      `Port ${port}, where ${name} is to listen, is in use: stop what listens there, or move all ports of Sluice with SLUICE_PORT_BASE.`,
    );
  }
}

/** Waits until the port is free, but not for ever: the program that needs it then says what is wrong. */
export async function untilFree(port: number, patienceMs = 10_000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await isPortFree(port)) && Date.now() < deadline) await delay(50);
}
