import { created, noContent, ok, type Handlers } from '@sluice/service-kit';
import type { operations } from '../../generated/api.ts';
import { accessRuleView } from './access-rule-view.ts';
import type { AccessRules } from './access-rules.service.ts';

export function accessRulesOperations(rules: AccessRules) {
  return {
    listAccessRules: async ({ params }) => ok((await rules.list(params.deployment_id)).map(accessRuleView)),
    createAccessRule: async (call) => {
      const { deployment_id } = call.params;
      const rule = accessRuleView(await rules.create(call.caller, deployment_id, call.body));
      return created('access_rule', `/deployments/${deployment_id}/access_rules/${rule.id}`, rule);
    },
    getAccessRule: async ({ params }) =>
      ok(accessRuleView(await rules.get(params.deployment_id, params.rule_id))),
    deleteAccessRule: async (call) => {
      await rules.delete(call.caller, call.params.deployment_id, call.params.rule_id);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}
