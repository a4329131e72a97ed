import {
  createCloudAccount,
  deleteCloudAccount,
  getCloudAccount,
  listCloudAccounts,
  paginate,
  updateCloudAccount,
  type Cloud,
  type CloudAccount,
  type CloudAccountChanges,
  type CloudAccountDetail,
  type CloudAccountSettings,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import type { View } from '@sluice/terminal/output';
import { cloudFields, cloudOptionsIn } from '../clouds/index.ts';
import { capital, inTenant, verbsOf, type TenantCall } from '../entries/entries.ts';
import { textsOf } from '../places/edits.ts';

const detail: View<CloudAccountDetail> = {
  name: ({ id }) => String(id),
  columns: [],
  fields: ({ id, name, cloud, account_id, region, status, settings, remarks, created_at }) => [
    ['Id', id],
    ['Name', name],
    ['Cloud', cloud],
    ['Account', account_id],
    ['Region', region],
    ['Status', status],
    ...Object.entries(settings?.[cloud] ?? {}).map(
      ([field, value]) => [capital(field.replaceAll('_', ' ')), value] as const,
    ),
    ['Remarks', remarks],
    ['Created', created_at],
  ],
};

export const cloudAccounts = verbsOf<TenantCall, CloudAccount, CloudAccountDetail>({
  noun: 'cloud-accounts',
  one: 'cloud account',
  at: inTenant,
  read: (call, { cloud }: { cloud?: Cloud }) =>
    paginate(listCloudAccounts, { ...call, query: cloud ? { cloud } : {} }),
  view: {
    name: ({ id }) => String(id),
    empty: 'There is no cloud account.',
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'NAME', value: ({ name }) => name },
      { header: 'CLOUD', value: ({ cloud }) => cloud },
      { header: 'ACCOUNT', value: ({ account_id }) => account_id },
      { header: 'REGION', value: ({ region }) => region },
      { header: 'STATUS', value: ({ status }) => status },
      { header: 'VALIDATED', value: ({ validated_at }) => validated_at, wide: true },
      { header: 'CREATED', value: ({ created_at }) => created_at, wide: true },
    ],
  },
  id: ({ id }) => id,
  name: ({ name }) => name,
  get: ({ path, ...call }, cloud_account_id) =>
    getCloudAccount({ ...call, path: { ...path, cloud_account_id } }),
  detail,
  remove: ({ path, ...call }, cloud_account_id) =>
    deleteCloudAccount({ ...call, path: { ...path, cloud_account_id } }),
});

/** @returns undefined where no option is of settings */
function settingsOf(cloud: Cloud, flags: object): CloudAccountSettings | undefined {
  const given = cloudOptionsIn(flags, ({ settings }) => settings.options);
  if (Object.values(given).every((value) => value === undefined)) return undefined;
  return { [cloud]: cloudFields('cloud account', cloud, ({ settings }) => settings.fields, given) };
}

interface CreateFlags {
  cloud: Cloud;
  accountId: string;
  region?: string;
  remarks?: string;
}

export async function create(
  cli: Cli,
  name: string,
  { cloud, accountId, region, remarks, ...flags }: CreateFlags,
): Promise<void> {
  const settings = settingsOf(cloud, flags);
  const body = {
    cloud,
    name,
    account_id: accountId,
    ...textsOf({ region, remarks }),
    ...(settings && { settings }),
  };
  const { data } = await createCloudAccount({ ...(await inTenant(cli)), body });
  await cli.output.item(data, detail);
}

interface EditFlags {
  name?: string;
  accountId?: string;
  status?: NonNullable<CloudAccountChanges['status']>;
  region?: string | false;
  remarks?: string | false;
}

export async function edit(
  cli: Cli,
  text: string,
  { name, accountId, status, region, remarks, ...flags }: EditFlags,
): Promise<void> {
  const { call, id, item, title } = await cloudAccounts.find(cli, text);
  const settings = settingsOf(item.cloud, flags);
  const body: CloudAccountChanges = {
    ...textsOf({ name, account_id: accountId }),
    ...(status && { status }),
    ...(region !== undefined && { region: region || null }),
    ...(remarks !== undefined && { remarks: remarks || null }),
    ...(settings && { settings }),
  };
  if (Object.keys(body).length === 0) throw usageError('What shall change?', 'add --help to see the options');
  await updateCloudAccount({ ...call, path: { ...call.path, cloud_account_id: id }, body });
  cli.say(capital(`${title} is changed.`));
}
