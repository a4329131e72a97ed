import type { CloudAccess, FieldIssue } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { canonicalIpv4Block } from '@sluice/system';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Core } from '../../core.ts';
import type { Transaction } from '../../database.ts';
import type { components } from '../../generated/api.ts';
import { findSavedAccounts } from '../../stores/cloud-accounts.store.ts';
import type { DeploymentRow } from '../../stores/deployments.entity.ts';
import type { TenantTerms } from '../../stores/tenants.store.ts';
import type { CloudAccountSettings } from '../organization/cloud-accounts/cloud-account-rules.ts';
import { findSavedSettings } from '../organization/cloud-accounts/cloud-accounts.service.ts';

type AccessInput = Pick<components['schemas']['ByocDeploymentInput'], 'cloud' | 'cloud_a' | 'cloud_b'>;
type Refuse = (field: string, code: string, message: string) => void;

/** How a region shall get into an account, and what is wrong with that. */
export interface PlannedAccess {
  access: CloudAccess;
  issues: FieldIssue[];
}

/**
 * How a region shall get into the tenant's account (interface, 4.4). What the request leaves out is taken from the settings of the cloud
 * account that the tenant has saved. A role of `cloud_a` is only taken with the tenant's own external id: otherwise a tenant that knows of
 * another's role could have Sluice work there.
 */
export async function planAccess(
  tx: Transaction,
  { catalogue, secrets }: Pick<Core, 'catalogue' | 'secrets'>,
  tenant: Pick<TenantTerms, 'id' | 'external_id'>,
  input: AccessInput,
): Promise<PlannedAccess> {
  const issues: FieldIssue[] = [];
  const refuse: Refuse = (field, code, message) => issues.push({ path: `/body/${field}`, code, message });
  const { cloud, cloud_a, cloud_b } = input;
  const other = cloud === 'cloud_a' ? 'cloud_b' : 'cloud_a';
  if (!input[cloud]) refuse(cloud, 'required', 'is required on this cloud');
  if (input[other]) refuse(other, 'not_together', `cannot be given on ${cloud}`);
  if (identityIn(catalogue, cloud) === undefined)
    refuse('cloud', 'not_allowed', 'takes no deployments in accounts of tenants');
  const account_id = cloud === 'cloud_a' ? cloud_a?.account_id : cloud_b?.project_id;
  if (account_id === undefined) return { access: {}, issues };
  const saved = await findSavedSettings(tx, secrets, { tenant_id: tenant.id, cloud, account_id });
  const access: CloudAccess = {
    ...(cloud_a && { cloud_a: planRole(tenant, cloud_a, saved?.cloud_a, refuse) }),
    ...(cloud_b && { cloud_b: planServiceAccount(cloud_b, saved?.cloud_b, refuse) }),
  };
  return { access, issues };
}

const requiredUnlessSaved = 'is required where no active cloud account is saved with it';
/** as the OpenAPI document has it; settings of a cloud account may have another ARN */
const role = /^arn:[a-z0-9_-]{1,20}:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/;

function planRole(
  tenant: Pick<TenantTerms, 'external_id'>,
  given: components['schemas']['CloudAAccess'],
  saved: CloudAccountSettings['cloud_a'],
  refuse: Refuse,
): NonNullable<CloudAccess['cloud_a']> {
  const { account_id } = given;
  const resolved = (field: 'identity_arn' | 'external_id' | 'vpc_id') => {
    const value = given[field] ?? saved?.[field];
    if (value === undefined) refuse(`cloud_a/${field}`, 'required', requiredUnlessSaved);
    return value ?? '';
  };
  const identity_arn = resolved('identity_arn');
  const external_id = resolved('external_id');
  const vpc_id = resolved('vpc_id');
  if (identity_arn && !role.test(identity_arn))
    refuse('cloud_a/identity_arn', 'wrong_format', 'is not the ARN of a role');
  else if (identity_arn && identity_arn.split(':')[4] !== account_id)
    refuse('cloud_a/identity_arn', 'not_together', 'is a role of another account than account_id');
  if (external_id && external_id !== tenant.external_id)
    refuse('cloud_a/external_id', 'not_allowed', 'is not the external id that the setup tells');
  const vpc_cidr = given.vpc_cidr ?? (vpc_id === saved?.vpc_id ? saved.vpc_cidr : null) ?? null;
  const written = vpc_cidr !== null ? canonicalIpv4Block(vpc_cidr) : null;
  if (written !== vpc_cidr)
    refuse(
      'cloud_a/vpc_cidr',
      'wrong_format',
      `has to be an IPv4 CIDR${written ? `, such as ${written}` : ''}`,
    );
  return { account_id, identity_arn, external_id, vpc_id, vpc_cidr };
}

function planServiceAccount(
  { project_id, service_account_email, ...given }: components['schemas']['CloudBAccess'],
  saved: CloudAccountSettings['cloud_b'],
  refuse: Refuse,
): NonNullable<CloudAccess['cloud_b']> {
  const vpc_name = given.vpc_name ?? saved?.vpc_network ?? '';
  if (!vpc_name) refuse('cloud_b/vpc_name', 'required', requiredUnlessSaved);
  const vpc_cidr = vpc_name === (saved?.vpc_network ?? vpc_name) ? saved?.vpc_cidr : null;
  return { project_id, service_account_email, vpc_name, ...(vpc_cidr && { vpc_cidr }) };
}

/**
 * Refuses an account that the tenant has saved and set to something else than `active` (interface, 2.9).
 * @throws Problem `state_conflict`
 */
export async function requireActiveAccount(
  tx: Transaction,
  { id: tenant_id }: Pick<TenantTerms, 'id'>,
  { cloud_a, cloud_b }: CloudAccess,
): Promise<void> {
  const [cloud, account_id] = cloud_a
    ? (['cloud_a', cloud_a.account_id] as const)
    : (['cloud_b', cloud_b?.project_id ?? ''] as const);
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
export function identityIn(catalogue: Catalogue, cloud: string): string | undefined {
  return catalogue.clouds.find(({ key }) => key === cloud)?.service_identity;
}
