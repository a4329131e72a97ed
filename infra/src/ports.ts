import { CannotStart, isPortFree } from '@sluice/embedded';

export interface PortUse {
  port: number;
  /** what is to listen there */
  name: string;
}

/** Throws `CannotStart` that names the first port that somebody else listens on. */
export async function checkPorts(uses: readonly PortUse[]): Promise<void> {
  for (const { port, name } of uses) {
    if (await isPortFree(port)) continue;
    throw new CannotStart(
      `Port ${port}, where ${name} is to listen, is in use: stop what listens there, or move all ports of Sluice with SLUICE_PORT_BASE.`,
    );
  }
}
