import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@sluice/embedded';
import { eventually } from './eventually.ts';
import { keptInCache } from './optional-servers.ts';

const run = promisify(execFile);

/** what clients of AWS are tested with elsewhere, too; it wants Python */
const release = 'moto==5.1.0';
const packages = [release, 'flask', 'flask-cors', 'py-partiql-parser', 'PyYAML'];

export interface TestAws {
  endpoint: string;
  stop(): Promise<void>;
}

/**
 * A server with the APIs of AWS (S3, EC2, its load balancers) for the caller alone, with any keys and nothing in it. It is fetched at its first
 * use, which takes half a minute, and kept in `.cache`. Null, after one line that says so, on a machine without Python that is not to have run all tests.
 */
export async function testAws(): Promise<TestAws | null> {
  const python = await motoPython().catch((error: unknown) => error);
  if (typeof python === 'string') return await start(python);
  if (process.env.CI) throw python;
  console.warn(`Tests against AWS are left out, since moto could not be installed: ${String(python)}`);
  return null;
}

async function motoPython(): Promise<string> {
  const folder = await keptInCache(release.replace('==', '-'), 'bin/python', async (workshop) => {
    await run('python3', ['-m', 'venv', workshop], { timeout: 120_000 });
    const install = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--disable-pip-version-check'];
    await run(join(workshop, 'bin/python'), [...install, ...packages], { timeout: 300_000 });
  });
  return join(folder, 'bin/python');
}

async function start(python: string): Promise<TestAws> {
  const port = await freePort();
  const child = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const endpoint = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const answers = async () => {
    if (child.exitCode !== null) throw new Error('moto has ended');
    await fetch(`${endpoint}/moto-api/`, { signal: AbortSignal.timeout(2_000) });
  };
  await eventually(answers, { timeoutMs: 120_000 }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { endpoint, stop };
}
