import { created, done, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import { accessRuleView } from './access-rule-view.ts';
import type { AccessRulesService } from './access-rules.service.ts';
import type { AccessRule } from './access-rules.store.ts';

export function accessRulesOperations(accessRules: AccessRulesService) {
  return {
    listAccessRules: async ({ params }) => ok((await accessRules.list(params)).map(accessRuleView)),
    async createAccessRule({ caller, params, body }) {
      const rule = accessRuleView(await accessRules.create(caller, params, body));
      return created('access_rule', `/deployments/${params.deployment_id}/access_rules/${rule.id}`, rule);
    },
    getAccessRule: async ({ params }) => ok(accessRuleView(await accessRules.get(params))),
    async replaceAccessRule({ caller, params, body, ifMatch }) {
      const check = (rule: AccessRule) => ifMatch(() => accessRuleView(rule));
      return ok(accessRuleView(await accessRules.replace(caller, params, body, check)));
    },
    deleteAccessRule: ({ caller, params, ifMatch }) =>
      done(accessRules.delete(caller, params, (rule) => ifMatch(() => accessRuleView(rule)))),
  } satisfies Partial<Handlers<operations>>;
}
