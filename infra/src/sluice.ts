import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { repository, readSettings } from './settings.ts';

/** `npm run --silent sluice -- …`: the command line from its sources, in the context `local` of the stack that `npm start` runs. */

const { home } = readSettings(process.env);
const program = join(repository, 'packages/cli/src/main.ts');
const args = ['--disable-warning=ExperimentalWarning', program, ...process.argv.slice(2)];
const env = { ...process.env, SLUICE_LOCAL_STACK: join(home, 'stack.json') };
// npm runs scripts in the root of the checkout; names of files are those of the caller's folder
const child = spawn(process.execPath, args, { stdio: 'inherit', env, cwd: process.env.INIT_CWD });
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
// the terminal sends it to the child as well
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
