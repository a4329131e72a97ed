import {
  createBackup,
  deleteBackup,
  getBackup,
  listAuditEntries,
  listBackups,
  restoreBackup,
  SluiceError,
  waitFor,
  waitForBackup,
  type AuditEntry,
  type Backup,
  type ListBackupsData,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import type { DestroyFlags, WaitFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { confirm } from '../../prompts.ts';
import { inDeployment, verbsOf, type DeploymentCall } from '../entries/entries.ts';
import { withSteps } from '../entries/with-steps.ts';
import { textsOf } from '../places/edits.ts';

const view: View<Backup> = {
  name: ({ id }) => String(id),
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'TYPE', value: ({ backup_type: type }) => type },
    { header: 'STATUS', value: ({ status }) => status },
    { header: 'BYTES', value: ({ size_bytes: bytes }) => bytes },
    { header: 'CREATED', value: ({ created_at }) => created_at },
    { header: 'ERROR', value: ({ error }) => error },
    { header: 'NODE', value: ({ node_id }) => node_id ?? 'all', wide: true },
    { header: 'EXPIRES', value: ({ expires_at }) => expires_at, wide: true },
    { header: 'REMARKS', value: ({ remarks }) => remarks, wide: true },
  ],
};

export const backups = verbsOf<DeploymentCall, Backup>({
  noun: 'backups',
  one: 'backup',
  at: inDeployment,
  read: (call, { type }: { type?: NonNullable<ListBackupsData['query']>['backup_type'] }) =>
    listBackups({ ...call, query: type ? { backup_type: type } : {} }),
  view,
  id: ({ id }) => id,
  name: ({ name }) => name,
  remove: ({ path, ...call }, backup_id) => deleteBackup({ ...call, path: { ...path, backup_id } }),
});

interface CreateFlags extends WaitFlags {
  node?: number;
  remarks?: string;
  /** milliseconds */
  expiresIn?: number;
}

const day = 86_400_000;

export async function create(
  cli: Cli,
  name: string,
  at: string | undefined,
  { node, remarks, expiresIn, ...flags }: CreateFlags,
): Promise<void> {
  if (expiresIn !== undefined && (expiresIn === 0 || expiresIn % day !== 0))
    throw usageError('--expires-in has to be whole days, such as 30d.');
  const call = await inDeployment(cli, at);
  const body = {
    name,
    ...textsOf({ remarks }),
    ...(node !== undefined && { node_id: node }),
    ...(expiresIn !== undefined && { expires_in_days: expiresIn / day }),
  };
  const { response } = await createBackup({ ...call, body });
  const backup_id = Number(response.headers.get('svc-backup'));
  const { client, path, signal } = call;
  const backup = flags.wait
    ? await withSteps(cli, (steps) =>
        waitForBackup({
          client,
          signal,
          backup_id,
          deployment_id: path.deployment_id,
          timeoutMs: flags.timeout,
          onProgress: ({ status }) => steps.now(status),
        }),
      )
    : (await getBackup({ client, signal, path: { ...path, backup_id } })).data;
  await cli.output.item(backup, view);
}

export async function restore(
  cli: Cli,
  text: string,
  at: string | undefined,
  flags: DestroyFlags & WaitFlags,
): Promise<void> {
  const { call, id, title } = await backups.find(cli, text, at);
  const place = call.path.path;
  await confirm(cli, { what: `what ${place} has stored since ${title}`, name: place }, flags);
  // read before the request: the last end of an earlier restore, and whether the log may be read
  const { client } = await cli.session();
  const inLog = { client, path: call.path, signal: cli.signal };
  const before = flags.wait ? await lastEnd(inLog) : undefined;
  await restoreBackup({ ...call, path: { ...call.path, backup_id: id } });
  if (!flags.wait)
    return cli.say(
      `${place} is being restored from ${title}. Its end is in the log: sluice audit list --deployment ${place} --types ${ends.join(',')}`,
    );
  const ended = await withSteps(cli, (steps) =>
    waitFor(
      async (look) => ({ data: await lastEnd({ ...inLog, ...look }) }),
      (entry) => entry !== null && entry.timestamp !== before?.timestamp,
      {
        client,
        signal: cli.signal,
        timeoutMs: flags.timeout,
        onProgress: () => steps.now('restoring'),
      },
    ),
  );
  if (ended?.type === 'backup_restore_failed') {
    const { reason } = ended.data as { reason?: string };
    const detail = `${place} was not restored, and keeps what it had: ${reason ?? 'no reason is known'}.`;
    throw new SluiceError({ code: 'wait_failed', detail });
  }
  cli.say(`${place} is restored from ${title}.`);
}

/** how a restore ends, in the audit log */
const ends = ['backup_restored', 'backup_restore_failed'] as const;

async function lastEnd({ client, path, signal }: DeploymentCall): Promise<AuditEntry | null> {
  const query = { types: [...ends], deployment: path.deployment_id, results: 1 };
  const { data } = await listAuditEntries({ client, signal, path, query });
  return data.items[0] ?? null;
}
