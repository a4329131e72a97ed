import {
  createByocDeployment,
  createNodeEnrolment,
  setUpByoc,
  validateCloudAccess,
  type ByocSetup,
  type Cloud,
  type CloudAccessCheck,
  type CloudAccessInput,
  type NodeEnrolment,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, usageError } from '@sluice/terminal/errors';
import { handOut, type OutFlags } from '../../files.ts';
import type { View } from '@sluice/terminal/output';
import { numbered } from '../../steps-text.ts';
import { createAt, type CreateFlags } from '../deployments/create.ts';
import { fieldsOf, type FieldTable } from '../entries/fields.ts';
import { nodes } from '../nodes/nodes.ts';

interface RegionFlags {
  cloud: Cloud;
  region: string;
}

interface AccessFlags {
  accountId?: string;
  identityArn?: string;
  externalId?: string;
  vpcId?: string;
  vpcCidr?: string;
  serviceAccountEmail?: string;
  vpcName?: string;
}

const setupView: View<ByocSetup> = {
  name: (setup) => ('external_id' in setup ? setup.external_id : setup.service_account),
  columns: [],
  fields: (setup) =>
    'external_id' in setup
      ? [
          ['Organization', setup.service_org_id],
          ['External id', setup.external_id],
          ['Trust policy', JSON.stringify(setup.trust_policy)],
          ['Permissions policy', JSON.stringify(setup.permissions_policy)],
        ]
      : [
          ['Service account', setup.service_account],
          ['Roles', setup.roles.join(', ')],
        ],
};

/** Says what to prepare. The policies are whole in `-o json`. */
export async function setup(cli: Cli, at: string | undefined, { cloud, region }: RegionFlags): Promise<void> {
  const { client, places } = await cli.session();
  const path = await places.find('environment', at);
  const { data } = await setUpByoc({ client, path, body: { cloud, region }, signal: cli.signal });
  await cli.output.item(data, setupView);
  if (cli.output.isForPeople)
    await cli.output.raw(numbered('What to do', data.steps, (words) => cli.io.paint('bold', words)));
}

const checkView: View<CloudAccessCheck> = {
  name: ({ valid }) => String(valid),
  columns: [],
  fields: ({ valid, error, unchecked }) => [
    ['Valid', valid],
    ['Error', error],
    ['Not checked', unchecked.join(', ')],
  ],
};

/** The options of each cloud: their fields for a check, and for a deployment. */
const tables: Record<Cloud, { check: FieldTable; create: FieldTable }> = {
  cloud_a: {
    check: {
      accountId: 'account_id*',
      identityArn: 'identity_arn*',
      externalId: 'external_id',
      vpcId: 'vpc_id*',
    },
    create: {
      accountId: 'account_id*',
      identityArn: 'identity_arn',
      externalId: 'external_id',
      vpcId: 'vpc_id',
      vpcCidr: 'vpc_cidr',
    },
  },
  cloud_b: {
    check: { accountId: 'account_id*', serviceAccountEmail: 'identity_arn*', vpcName: 'vpc_id*' },
    create: { accountId: 'project_id*', serviceAccountEmail: 'service_account_email*', vpcName: 'vpc_name' },
  },
};

const accessOf = (what: 'check' | 'create', cloud: Cloud, flags: AccessFlags) => {
  const { accountId, identityArn, externalId, vpcId, vpcCidr, serviceAccountEmail, vpcName } = flags;
  const given = { accountId, identityArn, externalId, vpcId, vpcCidr, serviceAccountEmail, vpcName };
  const table: FieldTable | undefined = tables[cloud]?.[what];
  if (table)
    return fieldsOf(`${what === 'check' ? 'check of an account' : 'deployment'} on ${cloud}`, table, given);
  throw usageError(`--cloud: there is no ${cloud}.`, `give one of ${Object.keys(tables).join(', ')}`);
};

/** @throws CliError 1 where access is not valid */
export async function validate(
  cli: Cli,
  at: string | undefined,
  { cloud, region, ...flags }: RegionFlags & AccessFlags,
): Promise<void> {
  const body = { cloud, region, ...accessOf('check', cloud, flags) } as CloudAccessInput;
  const { client, places } = await cli.session();
  const path = await places.find('environment', at);
  const ofRegion = client.at({ cloud, region });
  const { data } = await validateCloudAccess({ client: ofRegion, path, body, signal: cli.signal });
  await cli.output.item(data, checkView);
  if (!data.valid)
    throw new CliError({
      exitCode: exitCodes.unexpected,
      message: `The access is not valid: ${data.error ?? 'no reason is known'}.`,
      next: 'sluice byoc setup shows what has to be there',
    });
}

export async function create(cli: Cli, at: string, flags: CreateFlags & AccessFlags): Promise<void> {
  const access = accessOf('create', flags.cloud, flags);
  await createAt(cli, at, flags, (call, body) =>
    createByocDeployment({ ...call, body: { ...body, [flags.cloud]: access } }),
  );
}

const enrolmentView: View<NodeEnrolment> = {
  name: ({ command }) => command,
  columns: [],
  fields: ({ command, platform, checksum, expires_at }) => [
    ['Command', command],
    ['Platform', platform],
    ['Checksum', checksum],
    ['Until', expires_at],
  ],
};

export async function enrol(cli: Cli, text: string, at: string | undefined, flags: OutFlags): Promise<void> {
  const { call, id } = await nodes.find(cli, text, at);
  const path = { ...call.path, node_id: id };
  await handOut(cli, { view: enrolmentView, what: 'command', ...flags }, () =>
    createNodeEnrolment({ ...call, path }),
  );
}
