import {
  cloudNames,
  clouds,
  otherClouds,
  type Cloud,
  type CloudAccess,
  type FieldIssue,
} from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { Catalogue } from '@sluice/catalogue/catalogue';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { findSavedAccounts } from '../organization/cloud-accounts/cloud-accounts.store.ts';
import type { DeploymentRow } from '@sluice/main-store/deployments.store';
import type { TenantTerms } from '@sluice/main-store/tenants.store';
import { findSavedSettings } from '../organization/cloud-accounts/cloud-accounts.service.ts';
import { byocClouds, type AccessInput, type Refuse } from './byoc-clouds.ts';

export interface PlannedAccess {
  access: CloudAccess;
  issues: FieldIssue[];
}

/**
 * How a region shall get into the tenant's account (interface, 4.4). What the request leaves out is taken from the settings of the cloud
 * account that the tenant has saved.
 */
export async function planAccess(
  tx: Transaction,
  { catalogue, secrets }: Pick<Core, 'catalogue' | 'secrets'>,
  tenant: Pick<TenantTerms, 'id' | 'external_id'>,
  input: AccessInput,
): Promise<PlannedAccess> {
  const issues: FieldIssue[] = [];
  const refuse: Refuse = (field, code, message) => issues.push({ path: `/body/${field}`, code, message });
  const { cloud } = input;
  if (!input[cloud]) refuse(cloud, 'required', 'is required on this cloud');
  for (const other of otherClouds(cloud))
    if (input[other]) refuse(other, 'not_together', `cannot be given on ${cloud}`);
  if (identityIn(catalogue, cloud) === undefined)
    refuse('cloud', 'not_allowed', 'takes no deployments in accounts of tenants');
  const account_id = accountIn(cloud, input);
  if (account_id === undefined) return { access: {}, issues };
  const saved = await findSavedSettings(tx, secrets, { tenant_id: tenant.id, cloud, account_id });
  // an access for another cloud is refused above
  const access = byocClouds[cloud].plan({ tenant, input, saved: saved ?? {}, refuse });
  return { access, issues };
}

/** The id of the account that an access is to. */
function accountIn(cloud: Cloud, access: CloudAccess | AccessInput): string | undefined {
  const fields: Readonly<Record<string, unknown>> = access[cloud] ?? {};
  const id = fields[clouds[cloud].account.id];
  return typeof id === 'string' ? id : undefined;
}

/**
 * Refuses an account that the tenant has saved and set to something else than `active` (interface, 2.9).
 * @throws Problem `state_conflict`
 */
export async function requireActiveAccount(
  tx: Transaction,
  { id: tenant_id }: Pick<TenantTerms, 'id'>,
  access: CloudAccess,
): Promise<void> {
  const cloud = cloudNames().find((name) => access[name]);
  const account_id = cloud && accountIn(cloud, access);
  if (cloud === undefined || account_id === undefined) return;
  const saved = await findSavedAccounts(tx, { tenant_id, cloud, account_id });
  const [status, ...others] = saved.map((account) => account.status);
  if (status === undefined || [status, ...others].includes('active')) return;
  throw problem('state_conflict', { detail: `The cloud account ${account_id} is ${status}.` });
}

/**
 * Refuses to make the nodes of a deployment anew whose account was deleted, or is not active (interface, 4.7).
 * @throws Problem `state_conflict`
 */
export async function requireAccountOf(
  tx: Transaction,
  tenant: Pick<TenantTerms, 'id'>,
  { cloud_access, cloud_account_deleted }: Pick<DeploymentRow, 'cloud_access' | 'cloud_account_deleted'>,
): Promise<void> {
  if (!cloud_access) return;
  if (cloud_account_deleted)
    throw problem('state_conflict', {
      detail: 'The cloud account of the deployment was deleted: it goes on as it is, and is not made anew.',
    });
  await requireActiveAccount(tx, tenant, cloud_access);
}

/** Who this installation is in a cloud, for deployments in accounts of tenants; undefined where there are none. */
export const identityIn = (catalogue: Catalogue, cloud: string) =>
  catalogue.clouds.find(({ key }) => key === cloud)?.service_identity;
