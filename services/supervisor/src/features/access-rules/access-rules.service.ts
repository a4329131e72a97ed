import {
  protocols,
  type DeploymentShape,
  type Protocol,
  type AccessRuleId,
  type DeploymentId,
} from '@sluice/contracts';
import { fieldProblem, isUniqueViolation, problem, type Caller, type UnitOfWork } from '@sluice/service-kit';
import { isIpv4Block } from '@sluice/system';
import type { Database, Transaction } from '../../database.ts';
import { lockDeployment, type Deployment } from '../deployments/deployments.store.ts';
import { togglesOf } from './access-rule-view.ts';
import type { AppliedRevisions } from './applied-revisions.ts';
import {
  countRules,
  deleteRule,
  findRule,
  insertRule,
  listRules,
  raiseRevision,
  type AccessRule,
} from './access-rules.store.ts';

export interface NewAccessRule {
  name: string;
  remarks?: string | null;
  cidr_blocks: string[];
  rules: Partial<Record<Protocol, boolean | null>>;
  valid_to?: string | null;
}

export interface AccessRulesOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  appliedRevisions: AppliedRevisions;
  now: () => Date;
}

export type AccessRules = ReturnType<typeof createAccessRules>;

/** Access rules (interface, 2.11 and 4.8): who may reach a deployment's broker. */
export function createAccessRules({ database, work, appliedRevisions, now }: AccessRulesOptions) {
  return {
    list: (deploymentId: DeploymentId) => listRules(database, deploymentId),

    async get(deploymentId: DeploymentId, ruleId: AccessRuleId): Promise<AccessRule> {
      const rule = await findRule(database, deploymentId, ruleId);
      if (!rule) throw problem('not_found');
      return rule;
    },

    /** Resolves when the nodes enforce the rule, as far as they can be reached. */
    async create(caller: Caller, deploymentId: DeploymentId, wanted: NewAccessRule): Promise<AccessRule> {
      checkBlocks(wanted.cidr_blocks);
      const chosen = protocols.filter((protocol) => wanted.rules[protocol]);
      if (chosen.length === 0) throw fieldProblem('rules', 'too_few', 'has to let at least one protocol in');
      const validTo = wanted.valid_to ? new Date(wanted.valid_to) : null;
      if (validTo && validTo <= now())
        throw fieldProblem('valid_to', 'not_in_future', 'has to lie in the future');

      const { rule, revision } = await work(caller, async (tx) => {
        const deployment = await requireLive(tx.db, deploymentId);
        await requireRoom(tx.db, deployment);
        const rule = await insertRule(tx.db, {
          deployment_id: deploymentId,
          name: wanted.name,
          remarks: wanted.remarks ?? null,
          protocols: chosen,
          cidr_blocks: wanted.cidr_blocks,
          valid_to: validTo,
          created_at: now(),
        });
        tx.emit('access_rule_added', aboutOf(deployment.shape), eventOf(rule));
        return { rule, revision: await raiseRevision(tx.db, deploymentId) };
      }).catch((error: unknown) => {
        throw isUniqueViolation(error, 'access_rules_name') ? problem('name_taken') : error;
      });
      await appliedRevisions.reached(deploymentId, revision);
      return rule;
    },

    /** Resolves when the nodes no longer let anybody in by the rule, as far as they can be reached. */
    async delete(caller: Caller, deploymentId: DeploymentId, ruleId: AccessRuleId): Promise<void> {
      const revision = await work(caller, async (tx) => {
        const deployment = await requireLive(tx.db, deploymentId);
        const rule = await deleteRule(tx.db, deploymentId, ruleId);
        if (!rule) throw problem('not_found');
        tx.emit('access_rule_deleted', aboutOf(deployment.shape), eventOf(rule));
        return await raiseRevision(tx.db, deploymentId);
      });
      await appliedRevisions.reached(deploymentId, revision);
    },
  };
}

function checkBlocks(blocks: readonly string[]): void {
  const fieldIssues = blocks.flatMap((block, index) => {
    if (isIpv4Block(block)) return [];
    const path = `/body/cidr_blocks/${index}`;
    return [{ path, code: 'wrong_format', message: 'has to be an IPv4 block such as 192.0.2.0/24' }];
  });
  if (fieldIssues.length > 0) throw problem('invalid_request', { fieldIssues });
}

/** The deployment, locked: changes of its rules happen one after the other. */
async function requireLive(db: Database, deploymentId: DeploymentId): Promise<Deployment> {
  const deployment = await lockDeployment(db, deploymentId);
  if (!deployment) throw problem('not_found');
  if (deployment.deleted_by) throw problem('state_conflict', { detail: 'The deployment is being deleted.' });
  return deployment;
}

async function requireRoom(db: Database, { id, shape }: Deployment): Promise<void> {
  const value = shape.limits.access_rules;
  if ((await countRules(db, id)) >= value) {
    throw problem('limit_reached', {
      extensions: { limit: { name: 'deployment_access_rules_limit', value } },
    });
  }
}

function aboutOf({ id, name, tenant_id, division, environment }: DeploymentShape) {
  return { tenant_id, division, environment, deployment: { id, name } };
}

function eventOf({ name, cidr_blocks, remarks, protocols: chosen }: AccessRule) {
  return {
    name,
    cidrs: cidr_blocks,
    ...(remarks !== null && { description: remarks }),
    rules: togglesOf(chosen),
  };
}
