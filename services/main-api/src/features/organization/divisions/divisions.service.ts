import { visibleDivisions } from '@sluice/contracts';
import { problem, type BodyOf, type Caller, type Page } from '@sluice/service-kit';
import { featuresOf, requireRoom } from '../../../catalogue/features.ts';
import { changesTo } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { Transaction } from '../../../database.ts';
import type { operations } from '../../../generated/api.ts';
import { deploymentsExist } from '../../../stores/deployments.store.ts';
import type { DivisionPath, DivisionRow } from '../../../stores/divisions.entity.ts';
import {
  countDivisions,
  deleteDivision,
  insertDivision,
  listDivisions,
  updateDivision,
} from '../../../stores/divisions.store.ts';
import { deleteEnvironments } from '../../../stores/environments.store.ts';
import type { TenantPath } from '../../../stores/tenants.entity.ts';
import { lockTenant, type TenantTerms } from '../../../stores/tenants.store.ts';
import { deleteKeysAndGrants } from '../../access/api-keys/key-deletion.ts';
import { deleteOverridesOf } from '../../access/roles/override-deletion.ts';
import { getVisibleDivision } from '../../access/visibility.ts';
import { sendShapes } from '../../regions/shapes.ts';
import { deletion, requireCode, requireMayProtect, requireNothingProtected } from '../protection/guard.ts';

export type DivisionInput = BodyOf<operations['createDivision']>;
export type DivisionChanges = BodyOf<operations['updateDivision']>;
export type DivisionsService = ReturnType<typeof divisionsService>;

/** Adds a division to a locked tenant. @throws Problem `limit_reached`, `name_taken` */
export async function addDivision(
  tx: Transaction,
  { catalogue }: Pick<Core, 'catalogue'>,
  tenant: TenantTerms,
  input: DivisionInput,
): Promise<DivisionRow> {
  const { divisions_limit } = featuresOf(catalogue, tenant.plan, tenant.feature_overrides);
  requireRoom('divisions_limit', divisions_limit, await countDivisions(tx, tenant.id));
  const division = await insertDivision(tx, { ...input, tenant_id: tenant.id });
  const { id, name } = division;
  tx.emit('division_created', { tenant_id: tenant.id, division: { id, name } }, { name });
  return division;
}

/** The rules of divisions (interface, 4.2). */
export function divisionsService(core: Core) {
  const { database, work } = core;
  return {
    create: (caller: Caller, { tenant_id }: TenantPath, input: DivisionInput) =>
      work(caller, async (tx) => addDivision(tx, core, await lockTenant(tx, tenant_id), input)),

    list: ({ permissions }: Caller, { tenant_id }: TenantPath, page: Page) =>
      listDivisions(database, tenant_id, visibleDivisions(permissions), page),

    get: (caller: Caller, path: DivisionPath) => getVisibleDivision(database, caller, path),

    /** @throws Problem `not_found`, `owner_only`, `name_taken` */
    update: (caller: Caller, path: DivisionPath, wanted: DivisionChanges) =>
      work(caller, async (tx) => {
        const { tenant_id, division_id: id } = path;
        const tenant = await lockTenant(tx, tenant_id);
        const division = await getVisibleDivision(tx, caller, path);
        requireMayProtect(caller, division, wanted.protected);
        const changes = changesTo(division, wanted, ['description', 'email']);
        if (Object.keys(changes).length === 0) return;
        await updateDivision(tx, id, changes);
        const name = changes.name ?? division.name;
        if (name !== division.name) await sendShapes(tx, caller.cause, core, tenant, { division_id: id });
        tx.emit('division_updated', { tenant_id, division: { id, name } }, { changes });
      }),

    /** @throws Problem as `requireCode` does; `not_found`, `contains_protected`, `has_deployments` */
    delete: (caller: Caller, path: DivisionPath, code: string | undefined) =>
      deletion(core, caller, async (tx) => {
        const { tenant_id, division_id: id } = path;
        await lockTenant(tx, tenant_id);
        const division = await getVisibleDivision(tx, caller, path);
        await requireCode(tx, core, path, division, code);
        await requireNothingProtected(tx, caller, { division_id: id });
        if (await deploymentsExist(tx, { division_id: id })) throw problem('has_deployments');
        const about = { tenant_id, division: { id, name: division.name } };
        await deleteKeysAndGrants(tx, { tenant_id, division_id: id });
        for (const environment of await deleteEnvironments(tx, id))
          tx.emit('environment_deleted', { ...about, environment }, { name: environment.name });
        await deleteOverridesOf(tx, tenant_id, { division_id: id });
        await deleteDivision(tx, id);
        tx.emit('division_deleted', about, { name: division.name });
      }),
  };
}
