import { join } from 'node:path';
import { CannotStart } from '@sluice/embedded';
import { borrowService } from './handover.ts';
import { untilFree } from './ports.ts';
import { readSettings } from './settings.ts';
import { runWatched } from './watched-service.ts';

/**
 * `npm run dev <service>`: runs one service of the stack that `npm start` runs in another terminal, with an inspector
 * and its log in this terminal, and starts it again whenever its sources change. Arguments that begin with a dash are
 * for Node (`--inspect-brk`). When this ends, the stack runs the service again.
 */

async function develop(name: string, nodeOptions: readonly string[]): Promise<void> {
  const { home } = readSettings(process.env);
  const loan = await borrowService({ folder: home, path: (...names) => join(home, ...names) }, name);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  loan.ended.addEventListener('abort', () => stop.abort(), { once: true });

  await untilFree(Number(loan.start.environment.PORT));
  const { LOG_LEVEL } = process.env;
  const environment = { ...loan.start.environment, ...(LOG_LEVEL !== undefined && { LOG_LEVEL }) };
  const start = { ...loan.start, environment };
  const service = runWatched(name, start, ['--inspect', ...nodeOptions]);
  await new Promise<void>((resolve) =>
    stop.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  if (loan.ended.aborted) console.log('The stack has ended.');
  await service.end();
  loan.giveBack();
}

const [name = '', ...rest] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
try {
  if (rest.length > 0) throw new CannotStart('npm run dev <service> runs one service.');
  await develop(
    name,
    process.argv.slice(2).filter((argument) => argument.startsWith('-')),
  );
  process.exit(0);
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exit(1);
}
