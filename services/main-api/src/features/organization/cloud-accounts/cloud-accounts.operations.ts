import { created, listed, noContent, ok, pageOf, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { CloudAccountRow } from '../../../stores/cloud-accounts.entity.ts';
import type { CloudAccountsService, OpenedCloudAccount } from './cloud-accounts.service.ts';

export function cloudAccountsOperations(accounts: CloudAccountsService) {
  return {
    async createCloudAccount({ caller, params, body }) {
      const account = await accounts.create(caller, params, body);
      return created(
        'cloud_account',
        `/tenants/${params.tenant_id}/cloud_accounts/${account.id}`,
        detailView(account),
      );
    },

    async listCloudAccounts({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await accounts.list(params, query, page);
      return listed(url, page, rows.map(listView), total);
    },

    async getCloudAccount({ params }) {
      return ok(detailView(await accounts.get(params)));
    },

    async updateCloudAccount({ caller, params, body }) {
      await accounts.update(caller, params, body);
      return noContent();
    },

    async deleteCloudAccount({ caller, params }) {
      await accounts.delete(caller, params);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function detailView(account: OpenedCloudAccount): components['schemas']['CloudAccountDetail'] {
  return { ...commonView(account), settings: account.settings, remarks: account.remarks };
}

function listView(account: CloudAccountRow): components['schemas']['CloudAccount'] {
  return { ...commonView(account), validated_at: account.validated_at?.toISOString() ?? null };
}

function commonView(account: CloudAccountRow) {
  return {
    id: account.id,
    cloud: account.cloud,
    name: account.name,
    account_id: account.account_id,
    region: account.region,
    status: account.status,
    created_at: account.created_at.toISOString(),
    updated_at: account.updated_at.toISOString(),
  };
}
