import { created, done, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { ConfigsService } from './configs.service.ts';

export function configsOperations(configs: ConfigsService) {
  return {
    listConfigs: async ({ params, query }) => ok(await configs.list(params, query)),
    listConfigsOfKind: async ({ caller, params, query }) =>
      ok(await configs.listOfKind(caller, params, query)),
    async createConfig({ caller, params, body, ifMatch }) {
      const config = await configs.create(caller, params, body, (newest) => ifMatch(() => newest));
      const { deployment_id, config_kind } = params;
      return created('config', `/deployments/${deployment_id}/configs/${config_kind}/${config.id}`, config);
    },
    getConfigSchema: async ({ caller, params }) => ok(await configs.schema(caller, params)),
    getPrimaryConfig: async ({ caller, params }) => ok(await configs.primary(caller, params)),
    getConfig: async ({ caller, params }) => ok(await configs.get(caller, params)),
    deleteConfig: ({ caller, params }) => done(configs.delete(caller, params)),
    listConfigVersions: async ({ caller, params }) => ok(await configs.versions(caller, params)),
    getConfigVersion: async ({ caller, params }) => ok(await configs.version(caller, params)),
    activateConfig: ({ caller, params }) => done(configs.activate(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}
