import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@sluice/embedded';
import { eventually } from './eventually.ts';
import { faultProxy, type FaultProxy } from './fault-proxy.ts';
import { repository } from './repository.ts';

export type Layer = 'main-api' | 'supervisor' | 'audit' | 'notifier';

/** One running instance of a service. */
export interface Replica {
  layer: Layer;
  url: string;
  /** a request that any key with all permissions may make, and no other */
  probe: string;
  process: ChildProcess;
  /** the file that it logs to, where logs are kept */
  log: string | undefined;
  /** its own way to NATS */
  nats: FaultProxy;
}

export interface ReplicaStart {
  layer: Layer;
  probe: string;
  environment: Record<string, string>;
  /** the folder of the release that it is of; default: this one */
  sources?: string | undefined;
  /** the folder for its log; default: it goes to this process's output */
  logs?: string | undefined;
  /** how long it may take, in milliseconds */
  patience?: number | undefined;
}

const compiled = { NODE_COMPILE_CACHE: join(repository, '.cache/compiled') };
/** Each release knows the catalogue of its own time. */
const catalogueOf = (sources: string) => join(sources, 'infra/catalogue.yaml');

/** Starts an instance and waits until it is ready. @throws Error when it ends instead, or takes too long */
export async function startReplica({
  layer,
  probe,
  environment,
  sources = repository,
  logs,
  patience = 90_000,
}: ReplicaStart): Promise<Replica> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const nats = await faultProxy(Number(new URL(environment['NATS_URL'] ?? '').port));
  const log = logs && join(logs, `${layer}-${port}.log`);
  const output = log === undefined ? 'inherit' : openSync(log, 'a');
  const child = spawn(process.execPath, [join(sources, 'services', layer, 'src/main.ts')], {
    env: {
      ...environment,
      CATALOGUE_FILE: catalogueOf(sources),
      ...compiled,
      PORT: String(port),
      PUBLIC_URL: url,
      NATS_URL: `nats://127.0.0.1:${nats.port}`,
    },
    stdio: ['ignore', output, output],
  });
  if (typeof output === 'number') closeSync(output);
  let ended = false;
  void once(child, 'exit').then(() => (ended = true));
  const ready = async () => {
    if (ended) return;
    const answer = await fetch(`${url}/readyz`);
    if (!answer.ok) throw new Error(`${layer} of ${sources} is not ready: ${await answer.text()}`);
  };
  try {
    await eventually(ready, { timeoutMs: patience });
    if (ended) throw new Error(`${layer} of ${sources} ended instead of starting`);
    return { layer, url, probe, process: child, log, nats };
  } catch (error) {
    child.kill('SIGKILL');
    nats.close();
    throw error;
  }
}

/** Ends an instance as an orderly replacement does. */
export async function endReplica({ process: child, nats }: Replica): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  nats.close();
}

export interface Seeded {
  tenant_id: number;
  division_id: number;
  api_key: string;
}

/** Makes the first tenant. */
export async function seed(environment: Record<string, string>, sources = repository): Promise<Seeded> {
  const child = spawn(process.execPath, [join(sources, 'services/main-api/src/seed.ts')], {
    env: {
      ...environment,
      CATALOGUE_FILE: catalogueOf(sources),
      ...compiled,
      PORT: '0',
      PUBLIC_URL: 'http://127.0.0.1',
      SEED_TENANT_NAME: 'Example',
      SEED_OWNER_EMAIL: 'owner@example.com',
      SEED_OWNER_NAME: 'Owner',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the first tenant of ${sources} could not be made`);
  return JSON.parse(output) as Seeded;
}
