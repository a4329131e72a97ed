import {
  createAccessRule,
  deleteAccessRule,
  getAccessRule,
  listAccessRules,
  replaceAccessRule,
  type AccessRule,
  type ProtocolRules,
} from '@sluice/client';
import { userInfo } from 'node:os';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, usageError } from '@sluice/terminal/errors';
import type { View } from '@sluice/terminal/output';
import { inDeployment, verbsOf, type DeploymentCall } from '../entries/entries.ts';
import { textsOf } from '../places/edits.ts';

const protocols: readonly (keyof ProtocolRules)[] = [
  'broker_tcp',
  'broker_http',
  'broker_websocket',
  'broker_udp',
];
const shortOf = (protocol: string): string => protocol.replace('broker_', '');

const view: View<AccessRule> = {
  name: ({ id }) => String(id),
  empty: 'There is no rule, so nothing can connect. Let yourself in: sluice access add --me',
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'ADDRESSES', value: ({ cidr_blocks }) => cidr_blocks.join(', ') },
    {
      header: 'PROTOCOLS',
      value: ({ rules }) =>
        protocols
          .filter((one) => rules[one])
          .map(shortOf)
          .join(', '),
    },
    { header: 'UNTIL', value: ({ valid_to }) => valid_to },
    { header: 'REMARKS', value: ({ remarks }) => remarks, wide: true },
    { header: 'CREATED', value: ({ created_at }) => created_at, wide: true },
  ],
};

export const rules = verbsOf<DeploymentCall, AccessRule>({
  noun: 'access',
  one: 'access rule',
  at: inDeployment,
  read: listAccessRules,
  view,
  id: ({ id }) => id,
  name: ({ name }) => name,
  remove: ({ path, ...call }, rule_id) => deleteAccessRule({ ...call, path: { ...path, rule_id } }),
});

interface AddFlags {
  me?: boolean;
  cidr?: string[];
  name?: string;
  protocols: string[];
  /** milliseconds */
  for?: number;
  remarks?: string;
}

export async function add(cli: Cli, at: string | undefined, flags: AddFlags): Promise<void> {
  const {
    me = false,
    cidr = [],
    name = me ? `${userInfo().username} ${new Date().toISOString().slice(0, 19)}` : undefined,
  } = flags;
  if (!me && cidr.length === 0) throw usageError('Which addresses?', 'pass --me, --cidr or both');
  if (name === undefined) throw usageError('What is the rule called?', 'pass --name');
  const admitted = admitting(flags.protocols);
  const call = await inDeployment(cli, at);
  const body = {
    name,
    cidr_blocks: [...(me ? [blockOf(await ownAddress(cli))] : []), ...cidr.map(blockOf)],
    rules: admitted,
    ...textsOf({ remarks: flags.remarks }),
    ...(flags.for !== undefined && { valid_to: endOf(flags.for) }),
  };
  const { data } = await createAccessRule({ ...call, body });
  await cli.output.item(data, view);
}

interface EditFlags {
  name?: string;
  me?: boolean;
  cidr?: string[];
  addCidr?: string[];
  removeCidr?: string[];
  protocols?: string[];
  /** milliseconds */
  for?: number;
  forever?: boolean;
  remarks?: string | false;
}

/** Changes what is given, of the rule as it was read: one that another has changed meanwhile stays as it is. */
export async function edit(cli: Cli, text: string, at: string | undefined, flags: EditFlags): Promise<void> {
  if (Object.keys(flags).every((flag) => flag === 'dryRun'))
    throw usageError('What shall change?', 'add --help to see the options');
  const admitted = flags.protocols && admitting(flags.protocols);
  const { call, id } = await rules.find(cli, text, at);
  const path = { ...call.path, rule_id: id };
  const { data: former, response } = await getAccessRule({ ...call, path });
  const body = {
    name: flags.name ?? former.name,
    cidr_blocks: await editedBlocks(cli, former.cidr_blocks, flags),
    rules: admitted ?? former.rules,
    remarks: flags.remarks === undefined ? former.remarks : flags.remarks || null,
    valid_to: flags.for === undefined ? (flags.forever ? null : former.valid_to) : endOf(flags.for),
  };
  const headers = { 'If-Match': response.headers.get('etag') ?? '*' };
  const { data } = await replaceAccessRule({ ...call, path, body, headers });
  await cli.output.item(data, view);
}

async function editedBlocks(
  cli: Cli,
  former: readonly string[],
  { me = false, cidr, addCidr = [], removeCidr = [] }: EditFlags,
): Promise<string[]> {
  const removed = removeCidr.map(blockOf);
  const unknown = removed.find((block) => !former.includes(block));
  if (unknown !== undefined)
    throw usageError(`--remove-cidr: the rule does not have ${unknown}.`, `it has ${former.join(', ')}`);
  const kept = cidr?.map(blockOf) ?? former.filter((block) => !removed.includes(block));
  const added = [...(me ? [await ownAddress(cli)] : []), ...addCidr].map(blockOf);
  const blocks = [...new Set([...kept, ...added])];
  if (blocks.length > 0) return blocks;
  throw usageError('The rule would let no address in.', 'remove it with sluice access remove');
}

const blockOf = (address: string): string => (address.includes('/') ? address : `${address}/32`);
const endOf = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

/** @throws CliError 2 where one is unknown */
function admitting(chosen: readonly string[]): ProtocolRules {
  const unknown = chosen.find((one) => !protocols.some((protocol) => shortOf(protocol) === one));
  if (unknown !== undefined)
    throw usageError(`--protocols: ${unknown} is none of ${protocols.map(shortOf).join(', ')}.`);
  const admitted = Object.fromEntries(
    protocols.map((protocol) => [protocol, chosen.includes(shortOf(protocol))]),
  );
  return admitted as unknown as ProtocolRules;
}

/** @throws CliError where it is not known, or no IPv4 address */
async function ownAddress(cli: Cli): Promise<string> {
  const { who } = await cli.session();
  const address = (await who())?.address;
  if (address && /^[\d.]+$/.test(address)) return address;
  throw new CliError({
    exitCode: exitCodes.badInput,
    message: address
      ? `--me: rules take IPv4 addresses, and yours is ${address}.`
      : '--me: the server does not say your address.',
    next: 'pass the address with --cidr',
  });
}
