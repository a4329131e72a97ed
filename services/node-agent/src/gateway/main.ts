import { rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { socketPath, tellStarter } from '@sluice/system/control';
import { Control } from './control.ts';
import { Gateway } from './gateway.ts';
import { receiveHandOver, takesOver } from './hand-over.ts';

/**
 * The gateway of a node: `main.ts <folder of its gateways> <build> [takes-over]`. It listens and holds connections by the state that
 * the agent applied last, also while there is no agent. SIGTERM ends it with all connections.
 */

// at the end of the process, when Node.js would write it, is too late
setTimeout(flushCompileCache, 3_000).unref();
process.umask(0o077);
const [folder = '', build = '', mode] = process.argv.slice(2);
const path = socketPath(folder, process.pid);
const end = () => {
  rmSync(path, { force: true });
  process.exit(0);
};
const gateway = new Gateway({
  log: (...line) => control.log(...line),
  onIdle: () => control.endIfUseless(),
});
const { inherited, state } =
  mode === takesOver ? await receiveHandOver() : { inherited: undefined, state: null };
const control: Control = new Control({ gateway, folder, path, build, state, end });
// all connections of clients lead through this process: an error in one of its callbacks must not cut them
const survive = (error: unknown) => {
  console.error(error);
  control.log('error', 'an error in the gateway was not caught', { reason: String(error) });
};
process.on('uncaughtException', survive).on('unhandledRejection', survive);
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, end);
process.once('disconnect', () => control.endIfUseless());
if (state !== null) await gateway.apply(state, inherited);
await control.open();
tellStarter(state === null ? 'ready' : 'took over');
