import { protocols, type DeploymentId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, ParamsOf } from '@sluice/http';
import { changeOf, changesTo, fieldProblem, isUniqueViolation, problem } from '@sluice/service';
import { canonicalIpv4Block } from '@sluice/system';
import { requireLive, type DeploymentPath, requireRoom } from '../deployment-rules.ts';
import type { Database } from '@sluice/region-store/tables';
import type { operations } from '../../generated/api.ts';
import {
  countRules,
  deleteRule,
  getRule,
  insertRule,
  listRules,
  updateRule,
  type AccessRule,
} from './access-rules.store.ts';
import {
  lockDeployment,
  raiseRevision,
  subjectsOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import { scheduleNow } from '@sluice/region-store/reconciliations.store';
import { accessRuleView, togglesOf } from './access-rule-view.ts';
import type { AppliedRevisions } from './applied-revisions.ts';
import { accessChanged } from './kept-access.ts';
import { requireKnownAccess } from './access-revisions.store.ts';
import type { Shared, Tx } from '../shared.ts';

type RulePath = ParamsOf<operations['deleteAccessRule']>;
type AccessRuleInput = BodyOf<operations['createAccessRule']>;

export interface AccessRulesOptions extends Pick<Shared, 'database' | 'work' | 'now'> {
  appliedRevisions: AppliedRevisions;
}

export type AccessRulesService = ReturnType<typeof accessRulesService>;

/** Access rules (interface, 2.11 and 4.8): who may reach a deployment's broker. */
export function accessRulesService({ database, work, appliedRevisions, now }: AccessRulesOptions) {
  return {
    list: ({ deployment_id }: DeploymentPath) => listRules(database, deployment_id),

    get: ({ deployment_id, rule_id }: RulePath) => getRule(database, deployment_id, rule_id),

    /** Resolves when the nodes enforce the rule, as far as they can be reached. */
    async create(
      caller: Caller,
      { deployment_id }: DeploymentPath,
      input: AccessRuleInput,
    ): Promise<AccessRule> {
      const fields = fieldsOf(input);
      requireFuture(fields.valid_to);
      const { rule, revision } = await work(caller, async (tx) => {
        const deployment = await lockLive(tx.db, deployment_id);
        const { access_rules } = deployment.spec.limits;
        requireRoom('deployment_access_rules_limit', access_rules, await countRules(tx.db, deployment_id));
        const rule = await insertRule(tx.db, { ...fields, deployment_id, created_at: now() });
        tx.emit('access_rule_added', subjectsOf(deployment), eventOf(rule));
        return { rule, revision: await changed(tx, deployment_id) };
      }).catch(nameTaken);
      await appliedRevisions.reached(deployment_id, revision);
      return rule;
    },

    /**
     * Changes a rule in place: agents get the former rules or the new ones, so that connections which both admit stay.
     * Resolves when the nodes enforce it, as far as they can be reached.
     * @param check throws where the caller means another state of the rule
     */
    async replace(
      caller: Caller,
      { deployment_id, rule_id }: RulePath,
      input: AccessRuleInput,
      check: (rule: AccessRule) => void,
    ): Promise<AccessRule> {
      const fields = fieldsOf(input);
      const { rule, revision } = await work(caller, async (tx) => {
        const deployment = await lockLive(tx.db, deployment_id);
        const former = await getRule(tx.db, deployment_id, rule_id);
        check(former);
        const seen = accessRuleView(former);
        const wanted = accessRuleView({ ...former, ...fields });
        const changes = changesTo(seen, wanted, ['remarks', 'valid_to']);
        // a call that is repeated waits for the nodes all the same
        if (Object.keys(changes).length === 0) return { rule: former, revision: deployment.revision };
        if (changes.valid_to) requireFuture(fields.valid_to);
        const rule = await updateRule(tx.db, rule_id, fields);
        const change = { name: rule.name, ...changeOf(seen, changes) };
        tx.emit('access_rule_updated', subjectsOf(deployment), change);
        return { rule, revision: await changed(tx, deployment_id) };
      }).catch(nameTaken);
      await appliedRevisions.reached(deployment_id, revision);
      return rule;
    },

    /**
     * Resolves when the nodes no longer let anybody in by the rule, as far as they can be reached.
     * @param check throws where the caller means another state of the rule
     */
    async delete(
      caller: Caller,
      { deployment_id, rule_id }: RulePath,
      check: (rule: AccessRule) => void,
    ): Promise<void> {
      const revision = await work(caller, async (tx) => {
        const deployment = await lockLive(tx.db, deployment_id);
        const rule = await getRule(tx.db, deployment_id, rule_id);
        check(rule);
        await deleteRule(tx.db, rule_id);
        tx.emit('access_rule_deleted', subjectsOf(deployment), eventOf(rule));
        return await changed(tx, deployment_id);
      });
      await appliedRevisions.reached(deployment_id, revision);
    },
  };

  /** Has main-api keep a copy of the rules, and agents enforce them. @returns the revision of the agents' state */
  async function changed(tx: Tx, deploymentId: DeploymentId): Promise<number> {
    await accessChanged(tx, deploymentId, now());
    await scheduleNow(tx.db, deploymentId, now());
    return await raiseRevision(tx.db, deploymentId);
  }

  function requireFuture(end: Date | null): void {
    if (end && end <= now()) throw fieldProblem('valid_to', 'not_in_future', 'has to lie in the future');
  }
}

/** The columns that a request sets. @throws Problem `invalid_request` */
function fieldsOf({ name, remarks = null, cidr_blocks, rules, valid_to }: AccessRuleInput) {
  checkBlocks(cidr_blocks);
  const chosen = protocols.filter((protocol) => rules[protocol]);
  if (chosen.length === 0) throw fieldProblem('rules', 'too_few', 'has to let at least one protocol in');
  return { name, remarks, protocols: chosen, cidr_blocks, valid_to: valid_to ? new Date(valid_to) : null };
}

function nameTaken(error: unknown): never {
  throw isUniqueViolation(error, 'access_rules_name') ? problem('name_taken') : error;
}

function checkBlocks(blocks: readonly string[]): void {
  const fieldIssues = blocks.flatMap((block, index) => {
    const canonical = canonicalIpv4Block(block);
    if (canonical === block) return [];
    const message =
      canonical === null
        ? 'has to be an IPv4 block such as 192.0.2.0/24'
        : `has bits below its prefix or a leading zero: write ${canonical}`;
    return [{ path: `/body/cidr_blocks/${index}`, code: 'wrong_format', message }];
  });
  if (fieldIssues.length > 0) throw problem('invalid_request', { fieldIssues });
}

/** The deployment, locked: changes of its rules happen one after the other. */
async function lockLive(db: Database, deploymentId: DeploymentId): Promise<Deployment> {
  const deployment = await lockDeployment(db, deploymentId);
  requireLive(deployment);
  requireKnownAccess(deployment);
  return deployment;
}

function eventOf({ name, cidr_blocks, remarks, protocols: chosen }: AccessRule) {
  return {
    name,
    cidrs: cidr_blocks,
    ...(remarks !== null && { description: remarks }),
    rules: togglesOf(chosen),
  };
}
