import {
  createAccessRule,
  deleteAccessRule,
  listAccessRules,
  type AccessRule,
  type ProtocolRules,
} from '@sluice/client';
import { userInfo } from 'node:os';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, usageError } from '../../errors.ts';
import type { View } from '../../output/output.ts';
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
    protocols: chosen,
    name = me ? `${userInfo().username} ${new Date().toISOString().slice(0, 19)}` : undefined,
  } = flags;
  if (!me && cidr.length === 0) throw usageError('Which addresses?', 'pass --me, --cidr or both');
  if (name === undefined) throw usageError('What is the rule called?', 'pass --name');
  const unknown = chosen.find((one) => !protocols.some((protocol) => shortOf(protocol) === one));
  if (unknown !== undefined)
    throw usageError(`--protocols: ${unknown} is none of ${protocols.map(shortOf).join(', ')}.`);
  const call = await inDeployment(cli, at);
  const addresses = me ? [await ownAddress(cli), ...cidr] : cidr;
  const admitted = Object.fromEntries(
    protocols.map((protocol) => [protocol, chosen.includes(shortOf(protocol))]),
  );
  const body = {
    name,
    cidr_blocks: addresses.map((address) => (address.includes('/') ? address : `${address}/32`)),
    rules: admitted as unknown as ProtocolRules,
    ...textsOf({ remarks: flags.remarks }),
    ...(flags.for !== undefined && { valid_to: new Date(Date.now() + flags.for).toISOString() }),
  };
  const { data } = await createAccessRule({ ...call, body });
  await cli.output.item(data, view);
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
