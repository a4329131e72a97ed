import {
  createSnapshot,
  deleteSnapshot,
  getSnapshotArchive,
  getSnapshotDownload,
  listSnapshots,
  paginate,
  waitForSnapshot,
  type Snapshot,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { writeSecretFile } from '../../files.ts';
import type { WaitFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { capital, inDeployment, verbsOf, type DeploymentCall } from '../entries/entries.ts';
import { withSteps } from '../entries/with-steps.ts';

const view: View<Snapshot> = {
  name: ({ id }) => String(id),
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'NODE', value: ({ node_id }) => node_id },
    { header: 'STATUS', value: ({ status }) => status },
    { header: 'CREATED', value: ({ created_at }) => created_at },
    { header: 'COMPLETED', value: ({ completed_at }) => completed_at, wide: true },
  ],
};

export const snapshots = verbsOf<DeploymentCall, Snapshot>({
  noun: 'snapshots',
  one: 'snapshot',
  at: inDeployment,
  read: (call) => paginate(listSnapshots, call),
  view,
  id: ({ id }) => id,
  remove: ({ path, ...call }, snapshot_id) => deleteSnapshot({ ...call, path: { ...path, snapshot_id } }),
});

interface CreateFlags extends WaitFlags {
  redactSecrets: boolean;
  includeBroker: boolean;
}

export async function create(
  cli: Cli,
  at: string | undefined,
  { redactSecrets, includeBroker, ...flags }: CreateFlags,
): Promise<void> {
  const call = await inDeployment(cli, at);
  await createSnapshot({ ...call, body: { redact_secrets: redactSecrets, include_broker: includeBroker } });
  const made = await newest(call);
  await cli.output.list(flags.wait ? await waitFor(cli, call, made, flags.timeout) : made, view);
}

/** The entries of the newest snapshot: one is made at a time, and each has one per node. */
async function newest(call: DeploymentCall): Promise<Snapshot[]> {
  const entries: Snapshot[] = [];
  for await (const entry of paginate(listSnapshots, call)) {
    if (entry.created_at !== (entries[0] ?? entry).created_at) break;
    entries.push(entry);
  }
  return entries;
}

function waitFor(
  cli: Cli,
  { client, path: { deployment_id }, signal }: DeploymentCall,
  made: readonly Snapshot[],
  timeoutMs: number,
): Promise<Snapshot[]> {
  return withSteps(cli, async (steps) => {
    const done = [];
    for (const { id, node_id } of made) {
      steps.now(`node ${node_id}`);
      done.push(await waitForSnapshot({ client, deployment_id, snapshot_id: id, timeoutMs, signal }));
    }
    return done;
  });
}

export async function download(
  cli: Cli,
  text: string,
  at: string | undefined,
  { out }: { out?: string },
): Promise<void> {
  const { call, id, title } = await snapshots.find(cli, text, at);
  const file = out ?? `snapshot-${id}.zip`;
  await writeSecretFile(file, await archiveOf(call, id));
  cli.say(capital(`${title} is in ${file}.`));
}

/** The ZIP of a report. */
export async function archiveOf(
  { client, path, signal }: DeploymentCall,
  snapshot_id: number,
): Promise<AsyncIterable<Uint8Array>> {
  const { data: link } = await getSnapshotDownload({ client, signal, path: { ...path, snapshot_id } });
  const token = new URL(link.url).searchParams.get('token') ?? '';
  const { data } = await getSnapshotArchive({ client, signal, query: { token }, parseAs: 'stream' });
  return data as unknown as AsyncIterable<Uint8Array>;
}
