import { getNetworkInfo, SluiceError, waitFor, type NetworkInfo } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import type { DestroyFlags, WaitFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Link, LinkKind } from '../clouds/cloud.ts';
import { cloudOf } from '../clouds/index.ts';
import { numbered } from '../../steps-text.ts';
import { confirm } from '../../prompts.ts';
import { capital, inDeployment, verbsOf, type DeploymentCall } from '../entries/entries.ts';
import { fieldsOf } from '../entries/fields.ts';
import { withSteps } from '../entries/with-steps.ts';
import { textsOf } from '../places/edits.ts';

const infoView: View<NetworkInfo> = {
  name: ({ domain, public_ips, private_ips }) => domain ?? public_ips[0] ?? private_ips[0] ?? '',
  columns: [],
  fields: ({ network_mode, domain, cidr, public_ips, private_ips, ports, access_rules }) => [
    ['Mode', network_mode],
    ['Domain', domain],
    ['Subnet', cidr],
    ['Public addresses', public_ips.join(', ')],
    ['Private addresses', private_ips.join(', ')],
    ...Object.entries(ports).map(([name, port]) => [capital(name.replaceAll('_', ' ')), port] as const),
    ['Access rules', access_rules.map(({ name }) => name).join(', ')],
  ],
};

export async function info(cli: Cli, at: string | undefined): Promise<void> {
  await cli.output.item((await getNetworkInfo(await inDeployment(cli, at))).data, infoView);
}

/** in which a link is gone, and listed for an hour more */
const gone: readonly string[] = ['deleted', 'closed'];
/** which it does not leave for the better */
const failed: readonly string[] = ['rejected', 'expired', 'failed', 'deleting', ...gone];

function linksOn({ path: { cloud } }: DeploymentCall) {
  const { links } = cloudOf(cloud);
  if (links) return links;
  throw usageError(`This program knows no private networks of ${cloud}.`, 'sluice api list network');
}

const view: View<Link & { peer: string }> = {
  name: ({ id }) => String(id),
  empty: 'There is no peering and no private link.',
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'KIND', value: ({ kind }) => kind },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'STATUS', value: ({ status }) => status },
    { header: 'WITH', value: ({ peer }) => peer },
    { header: 'REASON', value: ({ status_reason: reason }) => reason },
    { header: 'CREATED', value: ({ created_at }) => created_at, wide: true },
    { header: 'REMARKS', value: ({ remarks }) => remarks, wide: true },
  ],
};

async function read(call: DeploymentCall, { all = false }: { all?: boolean }) {
  const links = Object.values(await linksOn(call).operations()).map(async (kind) =>
    (await kind.list(call)).map((link) => ({ ...link, peer: kind.peer(link) })),
  );
  const data = (await Promise.all(links)).flat().filter(({ status }) => all || !gone.includes(status));
  return { data };
}

export const links = verbsOf<DeploymentCall, Link & { peer: string }>({
  noun: 'network',
  one: 'link',
  at: inDeployment,
  read,
  view,
  id: ({ id }) => id,
  name: ({ name }) => name,
});

/** A link with what there is to do in its status, and where the cloud says so, who is connected. */
export async function show(cli: Cli, text: string, at: string | undefined): Promise<void> {
  const { call, id, item } = await links.find(cli, text, at);
  const kind = (await linksOn(call).operations())[item.kind];
  const instructions = (await kind.instructions?.(call, id))?.data;
  const connections = (await kind.connections?.(call, id))?.data;
  const shown = { ...item, ...(instructions && { instructions }), ...(connections && { connections }) };
  await cli.output.item(shown, {
    ...view,
    fields: () => [
      ['Id', id],
      ['Kind', item.kind],
      ['Name', item.name],
      ['Status', item.status],
      ...Object.entries(item)
        .filter(([name]) => !['id', 'kind', 'name', 'status', 'state', 'peer'].includes(name))
        .map(([name, value]) => [capital(name.replaceAll('_', ' ')), cellOf(value)] as const),
      ...(connections ?? []).map(
        ({ consumer_project_id, status }) => ['Connection', `${consumer_project_id}: ${status}`] as const,
      ),
    ],
  });
  if (!instructions || !cli.output.isForPeople) return;
  const title = `${instructions.title} (${instructions.status})`;
  await cli.output.raw(numbered(title, instructions.steps, (words) => cli.io.paint('bold', words)));
}

const cellOf = (value: unknown) =>
  Array.isArray(value) ? value.join(', ') : (value as string | number | boolean | null);

type CreateFlags = WaitFlags & { remarks?: string } & Record<string, unknown>;

export async function create(
  cli: Cli,
  kind: LinkKind,
  name: string,
  at: string | undefined,
  { wait: isWaited, timeout, remarks, acceptanceRequired, dryRun: _dryRun, ...given }: CreateFlags,
): Promise<void> {
  const call = await inDeployment(cli, at);
  // unless it is switched off, it is as the server has it
  const options = { ...given, ...(acceptanceRequired === false && { acceptanceRequired }) };
  const { [kind]: one, operations } = linksOn(call);
  const fields = fieldsOf(`${kind} on ${call.path.cloud}`, one.fields, options);
  const body = { name, ...textsOf({ remarks }), ...fields };
  const { response } = await (await operations())[kind].create(call, body);
  const id = Number(response.headers.get('location')?.split('/').at(-1));
  if (isWaited) await waitForLink(cli, call, id, timeout);
  const link = (await read(call, {})).data.find((one) => one.id === id);
  if (link) await cli.output.item(link, view);
  cli.say(`What there is to do: sluice network show ${id} ${call.path.path}`);
}

export async function wait(
  cli: Cli,
  text: string,
  at: string | undefined,
  { timeout }: { timeout: number },
): Promise<void> {
  const { call, id, title } = await links.find(cli, text, at);
  await waitForLink(cli, call, id, timeout);
  cli.say(capital(`${title} can be used.`));
}

/** Until it can be used. What the other side has to do meanwhile is said with the step. */
async function waitForLink(cli: Cli, call: DeploymentCall, id: number, timeoutMs: number): Promise<void> {
  const operations = await linksOn(call).operations();
  const hint = `what to do: sluice network show ${id} ${call.path.path}`;
  await waitThrough(cli, call, id, timeoutMs, (link) => {
    const { status, status_reason: reason, kind, name } = link ?? { status: 'deleted', status_reason: null };
    if (failed.includes(status)) {
      const detail = `The ${kind ?? 'link'} ${name ?? id} is ${status}: ${reason ?? 'no reason is known'}.`;
      throw new SluiceError({ code: 'wait_failed', detail });
    }
    const isReady = kind !== undefined && status === operations[kind].usable;
    return { isDone: isReady, title: isReady ? status : `${status} (${hint})` };
  });
}

interface Look {
  isDone: boolean;
  title: string;
}

async function waitThrough(
  cli: Cli,
  call: DeploymentCall,
  id: number,
  timeoutMs: number,
  look: (link: Link | undefined) => Look,
): Promise<void> {
  const { client, signal, path } = call;
  await withSteps(cli, (steps) =>
    waitFor<Link | null>(
      async (one) => {
        const { data } = await read({ ...one, path }, { all: true });
        return { data: data.find((link) => link.id === id) ?? null };
      },
      (link) => look(link ?? undefined).isDone,
      { client, signal, timeoutMs, onProgress: (link) => steps.now(look(link ?? undefined).title) },
    ),
  );
}

export async function destroy(
  cli: Cli,
  text: string,
  at: string | undefined,
  flags: DestroyFlags & WaitFlags,
): Promise<void> {
  const { call, id, item, title } = await links.find(cli, text, at);
  await confirm(
    cli,
    { what: `the ${item.kind} ${item.name}; what uses it is cut off`, name: item.name },
    flags,
  );
  await (await linksOn(call).operations())[item.kind].remove(call, id);
  if (flags.wait)
    await waitThrough(cli, call, id, flags.timeout, (link) => ({
      isDone: !link || gone.includes(link.status),
      title: link?.status ?? 'deleted',
    }));
  cli.say(capital(`${title} is ${flags.wait ? 'gone' : 'being deleted'}.`));
}
