#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { z } from 'zod';
import { CliError, usageError } from '@sluice/terminal/errors';
import { copyStream, textOf, type Side } from './stream-copy.ts';

/**
 * `SLUICE_API_KEY=… npm run --silent copy-streams -- --from <supervisor>/deployments/1 --to <supervisor>/deployments/2`: copies the streams of
 * a deployment into another, of any region, with their messages, sequences and consumers, by the snapshots of JetStream. The key reads the
 * logins of both. Prints a line for each stream. Exit code 1 when one was not copied, 2 for a mistake of the caller.
 */

const usage =
  'Usage: SLUICE_API_KEY=… npm run --silent copy-streams -- --from <supervisor>/deployments/<id> --to <supervisor>/deployments/<id> [--stream <name>…]';

/** how long a broker may take with one answer, in milliseconds: a tier may be slow */
const patience = 60_000;

const deploymentSchema = z.object({
  endpoints: z.object({ broker_tcp: z.string() }),
  nodes: z.array(z.unknown()),
});
const loginSchema = z.object({ username: z.string(), password: z.string() });

async function open(address: string, key: string): Promise<Side> {
  const ask = async (path: string) => {
    const answer = await fetch(`${address}${path}`, {
      headers: { 'svc-api-key': key },
      signal: AbortSignal.timeout(patience),
    });
    if (!answer.ok) throw usageError(`${address}${path} answers ${answer.status}.`);
    return await answer.json();
  };
  const deployment = deploymentSchema.parse(await ask(''));
  const { username, password } = loginSchema.parse(await ask('/credentials'));
  const servers = deployment.endpoints.broker_tcp;
  try {
    const connection = await connect({ servers, user: username, pass: password, reconnect: false });
    return { connection, nodes: deployment.nodes.length };
  } catch (error) {
    throw new Error(`The broker of ${address} cannot be reached, see its access rules: ${textOf(error)}`, {
      cause: error,
    });
  }
}

/** How many messages each stream has. */
async function streamsOf({ connection }: Side): Promise<Map<string, number>> {
  const manager = await jetstreamManager(connection, { timeout: patience });
  const found = new Map<string, number>();
  for await (const { config, state } of manager.streams.list()) found.set(config.name, state.messages);
  return found;
}

/** @returns whether all streams were copied */
async function run(args: readonly string[], key: string | undefined): Promise<boolean> {
  const { from, to, stream } = read(args);
  if (!key) throw usageError(`SLUICE_API_KEY is missing.\n${usage}`);
  const source = await open(from, key);
  const target = await open(to, key).catch(async (error: unknown) => {
    await source.connection.close();
    throw error;
  });
  // what has begun fails, and is taken back
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void source.connection.close());
  try {
    const [there, present] = [await streamsOf(source), await streamsOf(target)];
    const missing = stream.find((name) => !there.has(name));
    if (missing !== undefined) throw usageError(`${from} has no stream ${missing}.`);
    let isWhole = true;
    for (const name of stream.length > 0 ? stream : there.keys()) {
      const [outcome, text] = await outcomeOf(source, target, name, [there.get(name), present.get(name)]);
      isWhole &&= outcome === 'copied';
      console.log(`${name}: ${text}`);
    }
    return isWhole;
  } finally {
    await Promise.all([source.connection.close(), target.connection.close()]);
  }
}

/** Copies a stream, unless there is one of its name. @returns what came of it, and that for people */
async function outcomeOf(
  source: Side,
  target: Side,
  name: string,
  [there, present]: (number | undefined)[],
): Promise<['copied' | 'not copied', string]> {
  const not = (reason: string) => ['not copied', `not copied: ${reason}`] as ['not copied', string];
  // one that was killed has left a part
  if (present !== undefined)
    return not(`the other deployment has a stream of this name, with ${present} messages; here are ${there}`);
  try {
    return ['copied', `${await copyStream(source, target, name, patience)} messages copied`];
  } catch (error) {
    return not(textOf(error));
  }
}

function read(args: readonly string[]) {
  try {
    const options = {
      from: { type: 'string' },
      to: { type: 'string' },
      stream: { type: 'string', multiple: true, default: [] as string[] },
    } as const;
    const { from, to, stream } = parseArgs({ args: [...args], options }).values;
    for (const address of [from, to])
      if (!/^https?:\/\/.+\/deployments\/\d+$/.test(address ?? '')) throw usageError(usage);
    if (from === to) throw usageError('--from and --to are the same deployment.');
    return { from: from ?? '', to: to ?? '', stream };
  } catch (error) {
    throw error instanceof CliError ? error : usageError(`${(error as Error).message}\n${usage}`);
  }
}

try {
  process.exitCode = (await run(process.argv.slice(2), process.env['SLUICE_API_KEY'])) ? 0 : 1;
} catch (error) {
  console.error(textOf(error));
  process.exitCode = error instanceof CliError ? 2 : 1;
}
