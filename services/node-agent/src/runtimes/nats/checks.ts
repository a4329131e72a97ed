import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { natsAccount } from '@sluice/contracts/broker-schemas';
import { z } from 'zod';
import {
  byShare,
  critical,
  detail,
  ok,
  unknown,
  warning,
  type Check,
  type Outcome,
} from '../../snapshots/check.ts';
import { endOf } from '../../snapshots/excerpts.ts';
import { bytes, counted, percent } from '../../snapshots/figures.ts';
import { readLogLine } from './log-line.ts';

/** What these checks need of a nats-server. */
export interface NatsUnderTest {
  program: string;
  store: string;
  logFile: string;
  /** What a page of the server's monitoring says. @throws Error when no server answers */
  page: <Shape extends z.ZodType>(path: string, shape: Shape) => Promise<z.infer<Shape>>;
}

const group = 'Broker';
const stored = 'Stored messages';
const number = z.number().default(0);

const varzSchema = z.object({
  version: z.string(),
  connections: number,
  max_connections: number,
  slow_consumers: number,
  total_connections: number,
  jetstream: z
    .object({
      config: z.object({ max_memory: number, max_storage: number }).optional(),
      stats: z
        .object({
          memory: number,
          storage: number,
          api: z.object({ total: number, errors: number }).optional(),
        })
        .optional(),
    })
    .optional(),
});

const streamsSchema = z.object({
  account_details: z
    .array(
      z.object({
        name: z.string(),
        stream_detail: z
          .array(
            z.object({
              name: z.string(),
              state: z.object({ messages: number, bytes: number, num_deleted: number }),
              config: z
                .object({ storage: z.string().default('file'), max_bytes: z.number().default(-1) })
                .optional(),
              consumer_detail: z
                .array(z.object({ name: z.string(), num_pending: number, num_ack_pending: number }))
                .nullish(),
            }),
          )
          .nullish(),
      }),
    )
    .nullish(),
});

const clientsSchema = z.object({
  connections: z
    .array(z.object({ name: z.string().optional(), ip: z.string().default(''), pending_bytes: number }))
    .nullish(),
});

/** What can be checked of a nats-server, and of what it stores; in the order in which one explains the other. */
export function natsChecks({ program, store, logFile, page }: NatsUnderTest): readonly Check[] {
  const varz = () => page('/varz', varzSchema);
  const streams = async () => {
    const told = await page('/jsz?accounts=true&streams=true&consumers=true&config=true', streamsSchema);
    return told.account_details?.find(({ name }) => name === natsAccount)?.stream_detail ?? [];
  };
  const check = (
    id: string,
    of: string,
    title: string,
    meaning: string,
    run: (signal: AbortSignal) => Promise<Outcome>,
  ): Check => ({ id, group: of, title, meaning, run: (_node, signal) => run(signal) });

  return [
    check(
      'broker_health',
      group,
      'Health by its own word',
      'The server says itself whether it serves: streams that could not be restored are named here.',
      async () => {
        const { status, error } = await page(
          '/healthz',
          z.object({ status: z.string(), error: z.string().optional() }),
        );
        if (status === 'ok') return ok('The server says that it is well.');
        const action =
          'See what it names; a stream that is damaged can be deleted or restored from a backup.';
        return critical(`The server says that it is ${status}: ${error ?? 'no reason is given'}.`, action);
      },
    ),
    check(
      'broker_starts',
      group,
      'Starts in the last hour',
      'Each start has cut all clients before. Many show that the server does not stay.',
      async () => {
        const since = Date.now() - 3_600_000;
        const lines = (await endOf(logFile, 2 ** 20)).split('\n').map(readLogLine);
        const starts = lines.filter(
          (line) => line?.message.startsWith('Starting nats-server') && line.at.getTime() > since,
        );
        const finding = `${counted(starts.length, 'start')} in the last hour.`;
        const action = 'The lines before each start in its log say why it ended.';
        if (starts.length >= 10) return critical(`The server starts again and again: ${finding}`, action);
        return starts.length >= 4 ? warning(finding, action) : ok(finding);
      },
    ),
    check('broker_log', group, 'Errors in its log', 'What the server itself holds for wrong.', async () => {
      const since = Date.now() - 3_600_000;
      const lines = (await endOf(logFile, 2 ** 20)).split('\n').flatMap((line) => readLogLine(line) ?? []);
      const recent = lines.filter(({ at }) => at.getTime() > since);
      const errors = recent.filter(({ level }) => level === 'error');
      const details = errors
        .slice(-5)
        .map(({ at, message }) => detail(at.toISOString(), message.slice(0, 190)));
      const finding = `${counted(errors.length, 'error')} in the last hour.`;
      return errors.length > 0
        ? warning(finding, 'Read them; errors of clients that log in wrongly are here as well.', details)
        : ok(finding);
    }),
    check(
      'broker_version',
      group,
      'Version',
      'A server that runs is of the program that it was started from, also when that was replaced since.',
      async () => {
        const { stdout } = await promisify(execFile)(program, ['-v'], { timeout: 5_000 });
        const installed = /v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1] ?? 'unknown';
        const { version } = await varz();
        const details = [detail('runs', version), detail('installed', installed)];
        return version === installed
          ? ok(`nats-server ${version}.`, details)
          : warning(
              `nats-server ${version} runs, and ${installed} is installed.`,
              'Restart the broker when it suits: from then on the installed one runs.',
              details,
            );
      },
    ),
    check(
      'broker_connections',
      group,
      'Connections',
      'At the limit of the tier, or of the configuration, the broker refuses further clients.',
      async () => {
        const { connections, max_connections, total_connections } = await varz();
        const details = [detail('since its start', total_connections)];
        const finding = `${connections} of ${max_connections} connections.`;
        const action = 'See whether clients leave connections open, or take a larger tier.';
        const share = max_connections > 0 ? connections / max_connections : 0;
        return byShare(share, { much: 0.8, most: 0.98 }, { finding, action, details });
      },
    ),
    check(
      'slow_consumers',
      group,
      'Slow consumers',
      'A client that reads more slowly than messages come is cut off, and loses what is not in a stream.',
      async () => {
        const { slow_consumers } = await varz();
        const finding = `${counted(slow_consumers, 'client')} cut off for that since its start.`;
        const action = 'See which clients read slowly: more of them in a group, or smaller batches, help.';
        return slow_consumers > 0 ? warning(finding, action) : ok(finding);
      },
    ),
    check(
      'pending_clients',
      group,
      'Bytes that wait for clients',
      'What a client has not taken yet lies in the memory of the broker.',
      async () => {
        const told = await page('/connz?limit=256&sort=pending', clientsSchema);
        const clients = told.connections ?? [];
        const total = clients.reduce((sum, { pending_bytes }) => sum + pending_bytes, 0);
        const details = clients
          .filter(({ pending_bytes }) => pending_bytes > 0)
          .slice(0, 8)
          .map(({ name, ip, pending_bytes }) => detail((name ?? ip).slice(0, 70), bytes(pending_bytes)));
        const finding = `${bytes(total)} wait for clients.`;
        return total > 32 * 2 ** 20
          ? warning(finding, 'See which of these clients read slowly.', details)
          : ok(finding, details);
      },
    ),
    check(
      'stored_bytes',
      stored,
      'Storage of streams',
      'At the limit of the tier, or of the configuration, streams take no more messages.',
      async () => {
        const { jetstream } = await varz();
        return usage(jetstream?.stats?.storage ?? 0, jetstream?.config?.max_storage ?? 0, 'on the volume');
      },
    ),
    check(
      'stored_memory',
      stored,
      'Memory of streams',
      'At the limit of the tier, or of the configuration, streams in memory take no more messages.',
      async () => {
        const { jetstream } = await varz();
        return usage(jetstream?.stats?.memory ?? 0, jetstream?.config?.max_memory ?? 0, 'in memory');
      },
    ),
    check(
      'stored_api',
      stored,
      'Requests about streams',
      'Requests to make, change and read streams that the server has refused.',
      async () => {
        const { jetstream } = await varz();
        const { total = 0, errors = 0 } = jetstream?.stats?.api ?? {};
        const finding = `${errors} of ${total} were refused.`;
        return errors > 100 && errors > total / 2
          ? warning(finding, 'See what clients ask for: often a stream or consumer that is not there.')
          : ok(finding);
      },
    ),
    check(
      'streams_full',
      stored,
      'Streams near their own limit',
      'A full stream refuses messages, or deletes its oldest ones, as it was made.',
      async () => {
        const found = (await streams()).flatMap(({ name, state, config }) => {
          const most = config?.max_bytes ?? -1;
          return most > 0 && state.bytes > 0.9 * most ? [{ name, share: state.bytes / most }] : [];
        });
        const details = found
          .slice(0, 15)
          .map(({ name, share }) => detail(name.slice(0, 80), percent(share)));
        if (found.length === 0) return ok('No stream is near its limit.');
        const action = 'If they are not meant to delete their oldest messages, raise their limits.';
        return warning(`${counted(found.length, 'stream')} nearly full.`, action, details);
      },
    ),
    check(
      'consumers_behind',
      stored,
      'Consumers that are behind',
      'Messages that wait for consumers: readers that are too slow, or gone.',
      async () => {
        const all = (await streams()).flatMap(({ name: stream, consumer_detail }) =>
          (consumer_detail ?? []).map((consumer) => ({ ...consumer, stream })),
        );
        const behind = all
          .filter(({ num_pending }) => num_pending > 0)
          .sort((one, other) => other.num_pending - one.num_pending);
        const details = behind
          .slice(0, 10)
          .map(({ name, stream, num_pending }) => detail(`${stream} ${name}`.slice(0, 80), num_pending));
        const finding = `${counted(behind.length, 'consumer')} of ${all.length} with messages to come.`;
        return (behind[0]?.num_pending ?? 0) > 1_000_000
          ? warning(finding, 'See whether their readers run; delete consumers that nobody reads by.', details)
          : ok(finding, details);
      },
    ),
    check(
      'store_consistency',
      stored,
      'Consistency of the store',
      'Each stream has a folder with its description and its messages. What is damaged cannot be restored at the next start.',
      async (signal) => await consistency(store, signal, streams),
    ),
  ];
}

function usage(used: number, most: number, where: string): Outcome {
  if (most <= 0) return ok(`${bytes(used)} ${where}, without a limit of its own.`);
  const finding = `${bytes(used)} of ${bytes(most)} ${where} (${percent(used / most)}).`;
  const action = 'Delete what is not needed, give streams limits of size or age, or take a larger tier.';
  return byShare(used / most, { much: 0.85, most: 0.97 }, { finding, action });
}

const descriptionSchema = z.object({ name: z.string() });

async function consistency(
  store: string,
  signal: AbortSignal,
  streams: () => Promise<{ name: string; config?: { storage: string } | undefined }[]>,
): Promise<Outcome> {
  const folder = join(store, 'jetstream', natsAccount, 'streams');
  let entries: string[];
  try {
    entries = await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      const action = 'See what stands in the place of the folder, and restore it from a backup.';
      return critical(`The store cannot be read (${(error as NodeJS.ErrnoException).code}).`, action);
    }
    entries = [];
  }
  const known = await streams().catch(() => undefined);
  const damaged: string[] = [];
  for (const name of entries) {
    signal.throwIfAborted();
    if (!(await isDescribed(join(folder, name), name))) damaged.push(name);
  }
  const stored = known?.filter(({ config }) => config?.storage === 'file').map(({ name }) => name);
  const missing = stored?.filter((name) => !entries.includes(name)) ?? [];
  const unserved = stored === undefined ? [] : entries.filter((name) => !stored.includes(name));
  const details = [
    ...damaged.map((name) => detail(name.slice(0, 80), 'its description is missing or damaged')),
    ...missing.map((name) => detail(name.slice(0, 80), 'has no folder')),
    ...unserved.map((name) => detail(name.slice(0, 80), 'is on the disk and not served')),
  ].slice(0, 15);
  if (details.length > 0)
    return critical(
      `${counted(new Set([...damaged, ...missing, ...unserved]).size, 'stream')} damaged or not as the server says.`,
      'Restore them from a backup, or delete them. Do not restart the broker before that: what it still has in memory would be lost.',
      details,
    );
  const finding = `${counted(entries.length, 'stream')} on the disk, each with its description.`;
  return known === undefined
    ? { ...unknown(`${finding} No server says which there should be.`) }
    : ok(finding);
}

async function isDescribed(folder: string, name: string): Promise<boolean> {
  try {
    const text = await readFile(join(folder, 'meta.inf'), 'utf8');
    return (
      descriptionSchema.parse(JSON.parse(text)).name === name &&
      (await readFile(join(folder, 'meta.sum'))).length > 0
    );
  } catch {
    return false;
  }
}
