import { created, noContent, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import { accessRuleView } from './access-rule-view.ts';
import type { AccessRulesService } from './access-rules.service.ts';

export function accessRulesOperations(accessRules: AccessRulesService) {
  return {
    async listAccessRules({ params }) {
      return ok((await accessRules.list(params)).map(accessRuleView));
    },
    async createAccessRule({ caller, params, body }) {
      const rule = accessRuleView(await accessRules.create(caller, params, body));
      return created('access_rule', `/deployments/${params.deployment_id}/access_rules/${rule.id}`, rule);
    },
    async getAccessRule({ params }) {
      return ok(accessRuleView(await accessRules.get(params)));
    },
    async deleteAccessRule({ caller, params }) {
      await accessRules.delete(caller, params);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}
