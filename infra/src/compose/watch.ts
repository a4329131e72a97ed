import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '../settings.ts';
import { runWatched } from '../watched-service.ts';

/**
 * Runs the program of a container, and starts it again whenever its sources change: what `infra/compose.local.yaml` does in
 * the place of the program. Its arguments are for Node.
 */
const program = join(realpathSync(join(repository, 'program')), 'src', 'main.ts');
const environment = Object.fromEntries(
  Object.entries(process.env).map(([name, value]) => [name, value ?? '']),
);
const name = dirname(dirname(program)).split('/').at(-1) ?? '';
const service = runWatched(name, { program, args: [], environment }, process.argv.slice(2));
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void service.end().finally(() => process.exit(0)));
