import {
  paginate,
  waitFor,
  type Channel,
  type ChannelChanges,
  type ChannelDetail,
  type ChannelKind,
  type ChannelSettings,
  type Notification,
} from '@sluice/client';
import { parse } from 'yaml';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, usageError } from '@sluice/terminal/errors';
import { readText } from '../../files.ts';
import { first } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { readSecret } from '../../prompts.ts';
import { capital, verbsOf } from '../entries/entries.ts';
import { textsOf } from '../places/edits.ts';
import { atOwner, operationsOf, type OwnerCall } from './operations.ts';

const detail: View<ChannelDetail> = {
  name: ({ id }) => String(id),
  columns: [],
  fields: ({ id, name, channel, enabled, destination, settings, remarks, ...its }) => [
    ['Id', id],
    ['Name', name],
    ['Kind', channel],
    ['Enabled', enabled],
    ['Destination', destination],
    ...Object.entries(settings[channel as 'chat' | 'webhook'] ?? {}).map(
      ([key, value]) =>
        [
          capital(key.replaceAll('_', ' ')),
          typeof value === 'object' ? JSON.stringify(value) : value,
        ] as const,
    ),
    ['Signing secret', its.signing_secret],
    ['Unsubscribed', its.unsubscribed_at],
    ['Remarks', remarks],
    ['Created', its.created_at],
  ],
};

export const channels = verbsOf<OwnerCall, Channel, ChannelDetail>({
  noun: 'channels',
  one: 'channel',
  at: atOwner,
  read: (call, { kind }: { kind?: ChannelKind }) =>
    paginate((options) => operationsOf(call).list(options), {
      ...call,
      query: kind ? { channel: kind } : {},
    }),
  view: {
    name: ({ id }) => String(id),
    empty: 'There is no channel.',
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'NAME', value: ({ name }) => name },
      { header: 'KIND', value: ({ channel }) => channel },
      { header: 'ENABLED', value: ({ enabled }) => enabled },
      { header: 'OF', value: ({ owner_kind, owner_id }) => `${owner_kind} ${owner_id}`, wide: true },
      { header: 'CREATED', value: ({ created_at }) => created_at, wide: true },
    ],
  },
  id: ({ id }) => id,
  name: ({ name }) => name,
  get: (call, id) => operationsOf(call).get(withId(call, id)),
  detail,
  remove: (call, id) => operationsOf(call).remove(withId(call, id)),
});

export const withId = ({ path, ...call }: OwnerCall, channel_id: number) => ({
  ...call,
  path: { ...path, channel_id },
});

interface DestinationFlags {
  email?: string;
  urlFile?: string;
  /** `false` for `--no-settings` */
  settings?: string | false;
}

/** @returns undefined where none is given */
async function destinationOf(
  cli: Cli,
  kind: ChannelKind,
  { email, urlFile }: DestinationFlags,
): Promise<string | undefined> {
  if (kind === 'email' && urlFile !== undefined)
    throw usageError('An email channel has no --url-file.', 'pass --email ADDRESS');
  if (kind !== 'email' && email !== undefined)
    throw usageError(`A ${kind} channel has no --email.`, 'pass --url-file FILE');
  if (urlFile === undefined) return email;
  return readSecret(cli, { message: 'Address', file: urlFile, flag: '--url-file' });
}

async function settingsOf(
  cli: Cli,
  kind: ChannelKind,
  { settings }: DestinationFlags,
): Promise<ChannelSettings | null | undefined> {
  if (settings === undefined) return undefined;
  if (settings === false) return null;
  const text = await readText(cli, settings, '--settings');
  try {
    return { [kind]: parse(text) as unknown };
  } catch {
    throw new CliError({ exitCode: exitCodes.badInput, message: '--settings is neither YAML nor JSON.' });
  }
}

export async function create(
  cli: Cli,
  kind: ChannelKind,
  name: string,
  at: string | undefined,
  { remarks, ...flags }: DestinationFlags & { remarks?: string },
): Promise<void> {
  if (kind === 'email' && flags.email === undefined)
    throw usageError('Where does it lead to?', 'pass --email ADDRESS');
  const call = await atOwner(cli, at);
  const destination =
    (await destinationOf(cli, kind, flags)) ??
    (await readSecret(cli, { message: `Address of the ${kind}`, flag: '--url-file' }));
  const settings = await settingsOf(cli, kind, flags);
  const body = { channel: kind, name, destination, ...textsOf({ remarks }), ...(settings && { settings }) };
  const { data } = await operationsOf(call).create({ ...call, body });
  await cli.output.item(data, detail);
}

interface EditFlags extends DestinationFlags {
  name?: string;
  remarks?: string | false;
  on?: boolean;
  off?: boolean;
}

export async function edit(
  cli: Cli,
  text: string,
  at: string | undefined,
  { name, remarks, on, off, ...flags }: EditFlags,
): Promise<void> {
  const { call, id, item, title } = await channels.find(cli, text, at);
  const settings = await settingsOf(cli, item.channel, flags);
  const body: ChannelChanges = {
    ...textsOf({ name, destination: await destinationOf(cli, item.channel, flags) }),
    ...(settings !== undefined && { settings }),
    ...((on || off) && { enabled: on === true }),
    ...(remarks !== undefined && { remarks: remarks || null }),
  };
  if (Object.keys(body).length === 0) throw usageError('What shall change?', 'add --help to see the options');
  await operationsOf(call).update({ ...withId(call, id), body });
  cli.say(capital(`${title} is changed.`));
}

const historyView: View<Notification> = {
  name: ({ id }) => String(id),
  empty: 'There is no notification.',
  columns: [
    { header: 'CREATED', value: ({ created_at }) => created_at },
    { header: 'TYPE', value: ({ message_type: type }) => type },
    { header: 'STATUS', value: ({ status }) => status },
    { header: 'SUBJECT', value: ({ content }) => content.split('\n', 1)[0] },
    { header: 'REASON', value: ({ reason }) => reason },
    { header: 'ATTEMPTS', value: ({ attempts }) => attempts, wide: true },
    { header: 'DELIVERED', value: ({ delivered_at }) => delivered_at, wide: true },
    { header: 'ID', value: ({ id }) => id, wide: true },
  ],
};

export async function history(
  cli: Cli,
  text: string,
  at: string | undefined,
  { limit, type }: { limit?: number; type?: string },
): Promise<void> {
  const { call, id } = await channels.find(cli, text, at);
  const all = paginate((options) => operationsOf(call).notifications(options), {
    ...withId(call, id),
    query: type === undefined ? {} : { message_type: type },
  });
  await cli.output.list(first(all, limit), historyView);
}

const testMs = 60_000;

/** Sends a message, and waits until it is delivered or is not. @throws CliError 1 where it is not */
export async function test(cli: Cli, text: string, at: string | undefined): Promise<void> {
  const { call, id, title } = await channels.find(cli, text, at);
  const own = withId(call, id);
  const newest = async () => {
    const query = { message_type: 'channel_test', results: 1 };
    return (await operationsOf(call).notifications({ ...own, query })).data.items[0] ?? null;
  };
  const before = await newest();
  await operationsOf(call).test(own);
  const sent = await waitFor<Notification | null>(
    async () => ({ data: await newest() }),
    (one) => one !== null && one.id !== before?.id && (one.status !== 'pending' || one.attempts > 0),
    { client: call.client, signal: call.signal, timeoutMs: testMs },
  );
  if (sent) await cli.output.item(sent, historyView);
  if (sent?.status !== 'delivered')
    throw new CliError({
      exitCode: exitCodes.unexpected,
      message: capital(`${title} has not taken it: ${sent?.reason ?? 'no reason is known'}.`),
    });
}
