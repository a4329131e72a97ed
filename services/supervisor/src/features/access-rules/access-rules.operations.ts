import { created, noContent, ok, type Handlers } from '@sluice/service-kit';
import { causeOf } from '../../cause.ts';
import type { operations } from '../../generated/api.ts';
import { accessRuleView } from './access-rule-view.ts';
import type { AccessRules } from './access-rules.service.ts';

type Ids = 'listAccessRules' | 'createAccessRule' | 'getAccessRule' | 'deleteAccessRule';

export function accessRulesOperations(rules: AccessRules): Handlers<operations, Ids> {
  return {
    listAccessRules: async ({ params }) => ok((await rules.list(params.deployment_id)).map(accessRuleView)),
    createAccessRule: async (call) => {
      const { deployment_id } = call.params;
      const rule = accessRuleView(await rules.create(causeOf(call), deployment_id, call.body));
      return created('access_rule', `/deployments/${deployment_id}/access_rules/${rule.id}`, rule);
    },
    getAccessRule: async ({ params }) =>
      ok(accessRuleView(await rules.get(params.deployment_id, params.rule_id))),
    deleteAccessRule: async (call) => {
      await rules.delete(causeOf(call), call.params.deployment_id, call.params.rule_id);
      return noContent();
    },
  };
}
