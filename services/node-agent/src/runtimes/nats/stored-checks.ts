import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { natsAccount } from '@sluice/contracts/broker-schemas';
import { z } from 'zod';
import {
  byShare,
  checksOf,
  critical,
  detail,
  ok,
  unknown,
  warning,
  type Check,
  type Outcome,
} from '../../snapshots/check.ts';
import { bytes, counted, percent } from '../../snapshots/figures.ts';
import { streamsIn } from './monitoring.ts';
import type { NatsUnderTest } from './under-test.ts';

export function storedChecks({ store, pages }: NatsUnderTest): readonly Check[] {
  const streams = async () => streamsIn(await pages.jsz());
  return checksOf('Stored messages', {
    stored_bytes: {
      title: 'Storage of streams',
      meaning: 'At the limit of the tier, or of the configuration, streams take no more messages.',
      ...usageLimits,
      run: async () => {
        const { jetstream } = await pages.varz();
        return usage(jetstream?.stats?.storage ?? 0, jetstream?.config?.max_storage ?? 0, 'on the volume');
      },
    },
    stored_memory: {
      title: 'Memory of streams',
      meaning: 'At the limit of the tier, or of the configuration, streams in memory take no more messages.',
      ...usageLimits,
      run: async () => {
        const { jetstream } = await pages.varz();
        return usage(jetstream?.stats?.memory ?? 0, jetstream?.config?.max_memory ?? 0, 'in memory');
      },
    },
    stored_api: {
      title: 'Requests about streams',
      meaning: 'Requests to make, change and read streams that the server has refused.',
      run: async () => {
        const { jetstream } = await pages.varz();
        const { total = 0, errors = 0 } = jetstream?.stats?.api ?? {};
        const finding = `${errors} of ${total} were refused.`;
        return errors > 100 && errors > total / 2
          ? warning(finding, 'See what clients ask for: often a stream or consumer that is not there.')
          : ok(finding);
      },
    },
    streams_full: {
      title: 'Streams near their own limit',
      meaning: 'A full stream refuses messages, or deletes its oldest ones, as it was made.',
      run: async () => {
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
    },
    consumers_behind: {
      title: 'Consumers that are behind',
      meaning: 'Messages that wait for consumers: readers that are too slow, or gone.',
      run: async () => {
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
          ? warning(finding, 'See whether their readers run; delete consumers without readers.', details)
          : ok(finding, details);
      },
    },
    store_consistency: {
      title: 'Consistency of the store',
      meaning:
        'Each stream has a folder with its description and its messages. What is damaged cannot be restored at the next start.',
      run: async (_node, signal) => {
        return await consistency(store, signal, streams);
      },
    },
  });
}

const usageLimits = {
  action: 'Delete what is not needed, give streams limits of size or age, or take a larger tier.',
  limits: { much: 0.85, most: 0.97 },
};

function usage(used: number, most: number, where: string): Outcome {
  if (most <= 0) return ok(`${bytes(used)} ${where}, without a limit of its own.`);
  const finding = `${bytes(used)} of ${bytes(most)} ${where} (${percent(used / most)}).`;
  return byShare(used / most, finding);
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
  return known === undefined ? unknown(`${finding} No server says which there should be.`) : ok(finding);
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
