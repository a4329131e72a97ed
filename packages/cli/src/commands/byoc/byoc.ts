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
import { CliError, exitCodes } from '@sluice/terminal/errors';
import { cloudFields, cloudOf, cloudOptionsIn } from '../clouds/index.ts';
import { handOut, type OutFlags } from '../../files.ts';
import type { View } from '@sluice/terminal/output';
import { numbered } from '../../steps-text.ts';
import { createAt, type CreateFlags } from '../deployments/create.ts';
import { nodes } from '../nodes/nodes.ts';

interface RegionFlags {
  cloud: Cloud;
  region: string;
}

interface AccessFlags {
  accountId?: string;
}

const setupView = (cloud: Cloud): View<ByocSetup> => ({
  name: (setup) => String(cloudOf(cloud).setup(setup)[0]?.[1]),
  columns: [],
  fields: cloudOf(cloud).setup,
});

/** Says what to prepare. The policies are whole in `-o json`. */
export async function setup(cli: Cli, at: string | undefined, { cloud, region }: RegionFlags): Promise<void> {
  const { client, places } = await cli.session();
  const path = await places.find('environment', at);
  const { data } = await setUpByoc({ client, path, body: { cloud, region }, signal: cli.signal });
  await cli.output.item(data, setupView(cloud));
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

const accessOf = (what: 'check' | 'create', cloud: Cloud, { accountId, ...flags }: AccessFlags) => {
  const title = what === 'check' ? 'check of an account' : 'deployment';
  const given = { accountId, ...cloudOptionsIn(flags, ({ access }) => access.options) };
  return cloudFields(title, cloud, ({ access }) => access[what], given);
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
