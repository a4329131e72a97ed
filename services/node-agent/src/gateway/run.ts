import { rmSync } from 'node:fs';
import { socketPath, tellStarter } from '@sluice/system/control';
import { Control } from './control.ts';
import { receiveLegacy } from './hand-over.ts';
import type { GatewayEvents, SteeredGateway } from './steered-gateway.ts';

/**
 * Runs this process as the gateway of a node: `main.ts <folder of its gateways> <build> [legacy]`. It listens and holds
 * connections by what the agent has told it last, also while there is none. SIGTERM ends it with all connections.
 * @param create what it is made of; it may keep files in the folder
 */
export async function runGateway(
  create: (events: GatewayEvents, folder: string) => SteeredGateway,
): Promise<void> {
  process.umask(0o077);
  const [folder = '', build = '', legacy] = process.argv.slice(2);
  const path = socketPath(folder, process.pid);
  const end = () => {
    rmSync(path, { force: true });
    process.exit(0);
  };
  const gateway = create(
    { log: (...line) => control.log(...line), onIdle: () => control.endIfUseless(), onBroken: end },
    folder,
  );
  const { inheritance, state } =
    legacy === undefined ? { inheritance: undefined, state: null } : await receiveLegacy();
  const control: Control = new Control({ gateway, folder, path, build, state, end });
  // all connections of clients lead through this process: a mistake in one of its callbacks must not cut them
  const survive = (error: unknown) => {
    console.error(error);
    control.log('error', 'an error in the gateway was not caught', { reason: String(error) });
  };
  process.on('uncaughtException', survive).on('unhandledRejection', survive);
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, end);
  process.once('disconnect', () => control.endIfUseless());
  if (state !== null) await gateway.apply(state, inheritance);
  await control.open();
  tellStarter(state === null ? 'ready' : 'took over');
}
