import type { DivisionId, EnvironmentId, Ref } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { fieldProblem } from '@sluice/service';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { findEnvironment, findEnvironmentByName } from '@sluice/main-store/environments.store';
import type { TenantTerms } from '@sluice/main-store/tenants.store';
import { addEnvironment } from '../organization/environments/environments.service.ts';

/**
 * The environment that a starter goes into: the one asked for, or the one of that name, made if need be.
 * @throws Problem `invalid_request`, `forbidden` where the caller may not create deployments
 */
export async function starterEnvironment(
  tx: Transaction,
  core: Pick<Core, 'catalogue'>,
  tenant: TenantTerms,
  caller: Caller,
  division: Ref<DivisionId>,
  {
    environment_id,
    environment_name,
  }: { environment_id?: EnvironmentId | null; environment_name?: string | null },
): Promise<Ref<EnvironmentId>> {
  const name = environment_name ?? 'sandbox';
  const existing = environment_id
    ? await findEnvironment(tx, { tenant_id: tenant.id, division_id: division.id, environment_id })
    : await findEnvironmentByName(tx, division.id, name);
  if (environment_id && !existing)
    throw fieldProblem('environment_id', 'unknown', 'is no environment of the division');
  if (!existing) return await addEnvironment(tx, core, tenant, division, { name });
  caller.require('environment', 'deployment:manage', { division: division.id, environment: existing.id });
  return existing;
}
