import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrorCode } from '@sluice/system';
import type { Client } from './client.ts';
import { handedOver } from './environment.ts';
import { eventually } from './eventually.ts';
import { preparePostgres } from './prepared-postgres.ts';
import { launchFile, stackHome } from './run-folder.ts';
import { seedBeside } from './seed.ts';
import { clientsOf, freePorts, launch, readyStack, type Stack } from './stack.ts';
import type { StackFile } from './stack-file.ts';

/** as long as a first start may take on a machine that is busy */
const patience = { timeoutMs: 180_000, everyMs: 200 };

/**
 * The stack of this test run, which the first who asks starts and the end of the run stops, with a tenant of the caller's own.
 * Its tenants are not alone: others make deployments, and read and write, at the same time.
 */
export async function stackOfRun(): Promise<Stack> {
  const run = handedOver('SLUICE_TEST_FOLDER');
  const home = stackHome(run);
  const log = join(run, 'stack-of-run.log');
  const file = (await isFirst(home)) ? await start(run, home, log) : await untilStarted(run, home);
  // on a machine that is busy the program may not get through to the database in its time
  const tenant = await eventually(
    () => seedBeside({ ...file, home }, `Tenant of ${process.pid} at ${Date.now()}`),
    { timeoutMs: 60_000 },
  );
  const own = { ...file, ...tenant };
  return {
    ...own,
    ...clientsOf(own),
    clientBlock: '127.0.0.0/8',
    home,
    portBase: Number(new URL(file.base_url).port),
    output: () => readFileSync(log, 'utf8'),
    stop: async () => 0,
    remove: () => deleteDeployments(clientsOf(own).main, own.tenant_id),
  };
}

interface Placed {
  id: number;
  division: { id: number };
  environment: { id: number };
}

/** Agents and brokers of a file that has ended would work on beside the others. */
async function deleteDeployments(main: Client, tenantId: number): Promise<void> {
  const tenant = `/tenants/${tenantId}`;
  // a test may have taken the key away
  const { items = [] } = (await main.get<{ items?: Placed[] }>(`${tenant}/deployments?results=100`)).body;
  await Promise.all(
    items.map(({ id, division, environment }) =>
      main.delete(`${tenant}/divisions/${division.id}/environments/${environment.id}/deployments/${id}`),
    ),
  );
}

async function isFirst(home: string): Promise<boolean> {
  try {
    await mkdir(home, { mode: 0o700 });
    return true;
  } catch (error) {
    if (isErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function start(run: string, home: string, log: string): Promise<StackFile> {
  try {
    await preparePostgres(join(home, 'postgres'));
    const portBase = await freePorts();
    const launched = launch(home, portBase, log);
    await writeFile(launchFile(run), String(launched.child.pid));
    return await readyStack(home, portBase, launched);
  } catch (error) {
    await writeFile(failure(run), String(error));
    throw error;
  }
}

async function untilStarted(run: string, home: string): Promise<StackFile> {
  const failed = await eventually(async () => {
    const said = await readFile(failure(run), 'utf8').catch(() => undefined);
    if (said === undefined) await readFile(join(home, 'stack.json'));
    return said;
  }, patience);
  if (failed !== undefined) throw new Error(failed);
  return JSON.parse(await readFile(join(home, 'stack.json'), 'utf8')) as StackFile;
}

const failure = (run: string) => join(run, 'stack-of-run.failed');
