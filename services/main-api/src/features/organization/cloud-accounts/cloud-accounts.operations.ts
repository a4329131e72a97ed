import { created, done, ok, paged, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { CloudAccountRow } from './cloud-accounts.store.ts';
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

    listCloudAccounts: ({ params, query, url }) =>
      paged({ query, url }, (page) => accounts.list(params, query, page), listView),
    getCloudAccount: async ({ params }) => ok(detailView(await accounts.get(params))),
    updateCloudAccount: ({ caller, params, body, ifMatch }) =>
      done(accounts.update(caller, params, body, (account) => ifMatch(() => detailView(account)))),
    deleteCloudAccount: ({ caller, params }) => done(accounts.delete(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}

const detailView = (account: OpenedCloudAccount): components['schemas']['CloudAccountDetail'] => ({
  ...commonView(account),
  settings: account.settings,
  remarks: account.remarks,
});

const listView = (account: CloudAccountRow): components['schemas']['CloudAccount'] => ({
  ...commonView(account),
  validated_at: account.validated_at?.toISOString() ?? null,
});

const commonView = (account: CloudAccountRow) =>
  shown(account, 'id', 'cloud', 'name', 'account_id', 'region', 'status', 'created_at', 'updated_at');
