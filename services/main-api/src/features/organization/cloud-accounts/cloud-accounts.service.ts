import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page, QueryOf } from '@sluice/http';
import type { SecretBox } from '@sluice/system/secrets';
import { featuresOf, requireRoom } from '@sluice/catalogue/features';
import { changeOf, changesTo, withoutNulls, type Check } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import type { operations } from '../../../generated/api.ts';
import {
  type CloudAccountPath,
  type CloudAccountRow,
  countCloudAccounts,
  deleteCloudAccount,
  findSavedAccounts,
  getCloudAccount,
  insertCloudAccount,
  listCloudAccounts,
  markAccount,
  updateCloudAccount,
} from './cloud-accounts.store.ts';
import { type TenantPath, lockTenant } from '@sluice/main-store/tenants.store';
import { checkForCloud, type CloudAccountSettings } from './cloud-account-rules.ts';

type CloudAccountInput = BodyOf<operations['createCloudAccount']>;
type CloudAccountChanges = BodyOf<operations['updateCloudAccount']>;
type Filter = QueryOf<operations['listCloudAccounts']>;

export interface OpenedCloudAccount extends CloudAccountRow {
  settings: CloudAccountSettings | null;
}

/** Settings as events show them: whether there are any. */
const masked = (settings: CloudAccountSettings | null) => settings && '***';

export type CloudAccountsService = ReturnType<typeof cloudAccountsService>;

/** The rules of cloud accounts (interface, 4.7). Their settings are encrypted at rest, and in no event. */
export function cloudAccountsService({ database, work, catalogue, secrets }: Core) {
  const seal = async (settings: CloudAccountSettings | null) =>
    settings && (await secrets.seal(JSON.stringify(settings)));
  const open = async (account: CloudAccountRow): Promise<OpenedCloudAccount> => ({
    ...account,
    settings: await openSettings(secrets, account),
  });
  return {
    async create(
      caller: Caller,
      { tenant_id }: TenantPath,
      { settings: given, ...input }: CloudAccountInput,
    ) {
      checkForCloud(input.cloud, { ...input, settings: given });
      return await work(caller, async (tx): Promise<OpenedCloudAccount> => {
        const features = featuresOf(catalogue, await lockTenant(tx, tenant_id));
        requireRoom(features, 'cloud_accounts_limit', await countCloudAccounts(tx, tenant_id));
        const settings = given ? withoutNulls(given) : null;
        const sealed_settings = await seal(settings);
        const account = await insertCloudAccount(tx, { ...input, sealed_settings, tenant_id });
        await noteWhetherDeleted(tx, account);
        tx.emit('cloud_account_created', { tenant_id }, nameOf(account));
        return { ...account, settings };
      });
    },

    list: ({ tenant_id }: TenantPath, filter: Filter, page: Page) =>
      listCloudAccounts(database, tenant_id, filter, page),

    get: async (path: CloudAccountPath) => open(await getCloudAccount(database, path)),

    update: (
      caller: Caller,
      path: CloudAccountPath,
      { settings: given, ...wanted }: CloudAccountChanges,
      check: Check<OpenedCloudAccount>,
    ) =>
      work(caller, async (tx) => {
        const { tenant_id } = path;
        await lockTenant(tx, tenant_id);
        const account = await open(await getCloudAccount(tx, path));
        check(account);
        checkForCloud(account.cloud, { ...wanted, settings: given });
        const changes = changesTo<CloudAccountRow>(account, wanted, ['region', 'remarks']);
        const settings = given === undefined ? account.settings : given && withoutNulls(given);
        const isResettled = !isDeepStrictEqual(settings, account.settings);
        if (Object.keys(changes).length === 0 && !isResettled) return;
        const sealed = isResettled && { sealed_settings: await seal(settings) };
        await updateCloudAccount(tx, account.id, { ...changes, ...sealed });
        if (changes.account_id !== undefined) {
          await noteWhetherDeleted(tx, account);
          await noteWhetherDeleted(tx, { ...account, account_id: changes.account_id });
        }
        const name = changes.name ?? account.name;
        const change = changeOf<CloudAccountRow>(account, changes);
        if (isResettled) {
          change.changes['settings'] = masked(settings);
          change.former['settings'] = masked(account.settings);
        }
        tx.emit('cloud_account_updated', { tenant_id }, { name, ...change });
      }),

    /** What is deployed in it goes on, and is not made anew. */
    delete: (caller: Caller, path: CloudAccountPath) =>
      work(caller, async (tx) => {
        const { tenant_id } = path;
        await lockTenant(tx, tenant_id);
        const account = await getCloudAccount(tx, path);
        await deleteCloudAccount(tx, account.id);
        await noteWhetherDeleted(tx, account);
        tx.emit('cloud_account_deleted', { tenant_id }, nameOf(account));
      }),
  };
}

/**
 * The settings of an account of a provider that the tenant has saved: of those that are active, the newest that has some. Null where
 * there are none.
 */
export async function findSavedSettings(
  tx: Transaction,
  secrets: SecretBox,
  account: Pick<CloudAccountRow, 'tenant_id' | 'cloud' | 'account_id'>,
): Promise<CloudAccountSettings | null> {
  const saved = await findSavedAccounts(tx, account);
  const usable = saved.find(({ status, sealed_settings }) => status === 'active' && sealed_settings !== null);
  return usable ? await openSettings(secrets, usable) : null;
}

async function openSettings(
  secrets: SecretBox,
  { sealed_settings }: Pick<CloudAccountRow, 'sealed_settings'>,
): Promise<CloudAccountSettings | null> {
  if (sealed_settings === null) return null;
  return JSON.parse(await secrets.open(sealed_settings)) as CloudAccountSettings;
}

const nameOf = ({ name, cloud, account_id }: CloudAccountRow) => ({ name, cloud, account_id });

/** Deployments in an account that was saved, and is not any more, are not made anew. */
async function noteWhetherDeleted(
  tx: Transaction,
  { tenant_id, cloud, account_id }: Pick<CloudAccountRow, 'tenant_id' | 'cloud' | 'account_id'>,
): Promise<void> {
  const saved = await findSavedAccounts(tx, { tenant_id, cloud, account_id });
  await markAccount(tx, { tenant_id, cloud, account_id }, saved.length === 0);
}
