import type { CloudAccess, FieldIssue } from '@sluice/contracts';
import { problem } from '@sluice/service-kit';
import { canonicalIpv4Block } from '@sluice/system';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Transaction } from '../../database.ts';
import type { components } from '../../generated/api.ts';
import { findStatuses } from '../../stores/cloud-accounts.store.ts';
import type { DeploymentRow } from '../../stores/deployments.entity.ts';
import type { TenantTerms } from '../../stores/tenants.store.ts';

type AccessInput = Pick<components['schemas']['ByocDeploymentInput'], 'cloud' | 'cloud_a' | 'cloud_b'>;
type Refuse = (field: string, code: string, message: string) => void;

/**
 * How a region shall get into the tenant's account, and what is wrong with that (interface, 4.4). A role of `cloud_a` is only
 * taken with the tenant's own external id: otherwise a tenant that knows of another's role could have Sluice work there.
 */
export function planAccess(
  catalogue: Catalogue,
  tenant: Pick<TenantTerms, 'external_id'>,
  input: AccessInput,
): { access: CloudAccess; issues: FieldIssue[] } {
  const issues: FieldIssue[] = [];
  const refuse: Refuse = (field, code, message) => issues.push({ path: `/body/${field}`, code, message });
  const { cloud } = input;
  const other = cloud === 'cloud_a' ? 'cloud_b' : 'cloud_a';
  if (!input[cloud]) refuse(cloud, 'required', 'is required on this cloud');
  if (input[other]) refuse(other, 'not_together', `cannot be given on ${cloud}`);
  if (identityIn(catalogue, cloud) === undefined)
    refuse('cloud', 'not_allowed', 'takes no deployments in accounts of tenants');
  const { cloud_a, cloud_b } = input;
  if (cloud === 'cloud_a' && cloud_a)
    return { access: { cloud_a: planRole(tenant, cloud_a, refuse) }, issues };
  return { access: cloud_b ? { cloud_b } : {}, issues };
}

function planRole(
  { external_id }: Pick<TenantTerms, 'external_id'>,
  role: components['schemas']['CloudAAccess'],
  refuse: Refuse,
): NonNullable<CloudAccess['cloud_a']> {
  const { vpc_cidr = null, ...given } = role;
  if (given.identity_arn.split(':')[4] !== given.account_id)
    refuse('cloud_a/identity_arn', 'not_together', 'is a role of another account than account_id');
  if (given.external_id !== external_id)
    refuse('cloud_a/external_id', 'not_allowed', 'is not the external id that the setup tells');
  const written = vpc_cidr !== null ? canonicalIpv4Block(vpc_cidr) : null;
  if (written !== vpc_cidr)
    refuse(
      'cloud_a/vpc_cidr',
      'wrong_format',
      `has to be an IPv4 CIDR${written ? `, such as ${written}` : ''}`,
    );
  return { ...given, vpc_cidr };
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
  const [status, ...others] = await findStatuses(tx, { tenant_id, cloud, account_id });
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
