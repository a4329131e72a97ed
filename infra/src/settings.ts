import { join, resolve } from 'node:path';
import { CannotStart } from '@sluice/embedded';
import { z } from 'zod';

export const repository = join(import.meta.dirname, '../..');

/** How many ports a stack may use, from its first one on. */
const portCount = 20;

const environment = z.object({
  SLUICE_HOME: z.string().min(1).default(join(repository, '.sluice')),
  SLUICE_PORT_BASE: z.coerce
    .number()
    .int()
    .min(1024)
    .max(65_536 - portCount)
    .default(7600),
});

export interface Settings {
  /** the absolute path of the folder that everything of this stack is kept in */
  home: string;
  /** the first of the ports of this stack */
  portBase: number;
}

/** Reads `SLUICE_HOME` and `SLUICE_PORT_BASE`. Throws `CannotStart`. */
export function readSettings(variables: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const { data, error } = environment.safeParse(given);
  if (error) {
    throw new CannotStart(`SLUICE_PORT_BASE has to be a number between 1024 and ${65_536 - portCount}.`);
  }
  return { home: resolve(data.SLUICE_HOME), portBase: data.SLUICE_PORT_BASE };
}
