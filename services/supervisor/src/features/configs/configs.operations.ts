import { created, noContent, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { ConfigsService } from './configs.service.ts';

export function configsOperations(configs: ConfigsService) {
  return {
    async listConfigs({ params, query }) {
      return ok(await configs.list(params, query));
    },
    async listConfigsOfKind({ caller, params, query }) {
      return ok(await configs.listOfKind(caller, params, query));
    },
    async createConfig({ caller, params, body }) {
      const config = await configs.create(caller, params, body);
      const { deployment_id, config_kind } = params;
      return created('config', `/deployments/${deployment_id}/configs/${config_kind}/${config.id}`, config);
    },
    async getConfigSchema({ caller, params }) {
      return ok(await configs.schema(caller, params));
    },
    async getPrimaryConfig({ caller, params }) {
      return ok(await configs.primary(caller, params));
    },
    async getConfig({ caller, params }) {
      return ok(await configs.get(caller, params));
    },
    async deleteConfig({ caller, params }) {
      await configs.delete(caller, params);
      return noContent();
    },
    async listConfigVersions({ caller, params }) {
      return ok(await configs.versions(caller, params));
    },
    async getConfigVersion({ caller, params }) {
      return ok(await configs.version(caller, params));
    },
    async activateConfig({ caller, params }) {
      await configs.activate(caller, params);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}
