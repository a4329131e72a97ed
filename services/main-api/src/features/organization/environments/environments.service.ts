import { visibleEnvironments, type DivisionId, type Ref } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page } from '@sluice/http';
import { problem } from '@sluice/service';
import { featuresOf, requireRoom } from '@sluice/catalogue/features';
import { changeOf, changesTo, labelsOf, type Check } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import type { operations } from '../../../generated/api.ts';
import { deploymentsExist } from '@sluice/main-store/deployments.store';
import type { DivisionPath } from '@sluice/main-store/divisions.store';
import {
  type EnvironmentPath,
  type EnvironmentRow,
  countEnvironments,
  deleteEnvironment,
  insertEnvironment,
  listEnvironments,
  updateEnvironment,
} from '@sluice/main-store/environments.store';
import { lockTenant, type TenantTerms } from '@sluice/main-store/tenants.store';
import { deleteOverridesOf } from '../../access/roles/override-deletion.ts';
import { getVisibleDivision, getVisibleEnvironment } from '../../access/visibility.ts';
import { sendShapes } from '../../regions/shapes.ts';
import { deletion, requireCode, requireMayProtect, requireNothingProtected } from '../protection/guard.ts';

export type EnvironmentInput = BodyOf<operations['createEnvironment']>;
export type EnvironmentChanges = BodyOf<operations['updateEnvironment']>;
export type EnvironmentsService = ReturnType<typeof environmentsService>;

/** Adds an environment to a division of a locked tenant. @throws Problem `limit_reached`, `name_taken` */
export async function addEnvironment(
  tx: Transaction,
  { catalogue }: Pick<Core, 'catalogue'>,
  tenant: TenantTerms,
  division: Ref<DivisionId>,
  input: EnvironmentInput,
): Promise<EnvironmentRow> {
  const features = featuresOf(catalogue, tenant);
  const inTenant = await countEnvironments(tx, { tenant_id: tenant.id });
  requireRoom(features, 'environments_limit', inTenant);
  const inDivision = await countEnvironments(tx, { division_id: division.id });
  requireRoom(features, 'environments_per_division_limit', inDivision);
  const place = { tenant_id: tenant.id, division_id: division.id };
  const environment = await insertEnvironment(tx, { ...input, labels: input.labels ?? {}, ...place });
  const about = { tenant_id: tenant.id, division: { id: division.id, name: division.name } };
  const { id, name } = environment;
  tx.emit('environment_created', { ...about, environment: { id, name } }, { name, ...labelsOf(environment) });
  return environment;
}

/** The rules of environments (interface, 4.2). */
export function environmentsService(core: Core) {
  const { database, work } = core;
  return {
    create: (caller: Caller, path: DivisionPath, input: EnvironmentInput) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, path.tenant_id);
        const division = await getVisibleDivision(tx, caller, path);
        return await addEnvironment(tx, core, tenant, division, input);
      }),

    async list(caller: Caller, path: DivisionPath, label: string | undefined, page: Page) {
      await getVisibleDivision(database, caller, path);
      const visible = visibleEnvironments(caller.permissions, path.division_id);
      return await listEnvironments(database, path, visible, label, page);
    },

    get: (caller: Caller, path: EnvironmentPath) => getVisibleEnvironment(database, caller, path),

    update: (
      caller: Caller,
      path: EnvironmentPath,
      wanted: EnvironmentChanges,
      check: Check<EnvironmentRow>,
    ) =>
      work(caller, async (tx) => {
        const { environment_id: id } = path;
        const tenant = await lockTenant(tx, path.tenant_id);
        const division = await getVisibleDivision(tx, caller, path);
        const environment = await getVisibleEnvironment(tx, caller, path);
        check(environment);
        requireMayProtect(caller, environment, wanted.protected);
        const changes = changesTo(environment, wanted, ['description']);
        if (Object.keys(changes).length === 0) return;
        await updateEnvironment(tx, id, changes);
        const name = changes.name ?? environment.name;
        if (name !== environment.name)
          await sendShapes(tx, caller.cause, core, tenant, { environment_id: id });
        const about = { tenant_id: tenant.id, division: { id: division.id, name: division.name } };
        tx.emit(
          'environment_updated',
          { ...about, environment: { id, name } },
          changeOf(environment, changes),
        );
      }),

    delete: (caller: Caller, path: EnvironmentPath, code: string | undefined, check: Check<EnvironmentRow>) =>
      deletion(core, caller, async (tx) => {
        const { environment_id: id } = path;
        const tenant = await lockTenant(tx, path.tenant_id);
        const division = await getVisibleDivision(tx, caller, path);
        const environment = await getVisibleEnvironment(tx, caller, path);
        check(environment);
        await requireCode(tx, core, path, environment, code);
        await requireNothingProtected(tx, caller, { environment_id: id });
        if (await deploymentsExist(tx, { environment_id: id })) throw problem('has_deployments');
        await deleteOverridesOf(tx, tenant.id, { division_id: division.id, environment_id: id });
        await deleteEnvironment(tx, id);
        const about = { tenant_id: tenant.id, division: { id: division.id, name: division.name } };
        const { name } = environment;
        tx.emit('environment_deleted', { ...about, environment: { id, name } }, { name });
      }),
  };
}
