import {
  createAccessRule,
  deleteAccessRule,
  getAccessRule,
  replaceAccessRule,
  SluiceError,
  type NewAccessRule,
  type ProtocolRules,
} from '@sluice/client';
import { protocols, ruleFields } from '../organization/deployment.ts';
import { marked } from './canonical.ts';
import { matching, requireUnchanged, type Existing, type Fields, type Kind, type Run } from './kind.ts';

export const deploymentOf = ({ parent }: { parent: string | null }): string =>
  (parent ?? '').replace(/^deployment /, '');

const callOf = (entry: { parent: string | null }, { client, signal, ids }: Run) => ({
  client,
  signal,
  path: { deployment_id: ids.path(deploymentOf(entry)).deployment_id },
});

const ruleCall = (existing: Existing, run: Run) => {
  const call = callOf(existing, run);
  return { ...call, path: { ...call.path, rule_id: existing.id } };
};

function bodyOf(name: string, fields: Fields, set: string | undefined): NewAccessRule {
  const chosen = (fields['protocols'] as string[] | undefined) ?? ['tcp'];
  const rules = Object.fromEntries(protocols.map((one) => [`broker_${one}`, chosen.includes(one)]));
  return {
    name,
    cidr_blocks: fields['cidr_blocks'] as string[],
    rules: rules as unknown as ProtocolRules,
    valid_to: (fields['valid_to'] as string | null | undefined) ?? null,
    remarks: marked(fields['remarks'] as string | null | undefined, set),
  };
}

export const accessRule: Kind = {
  required: ['cidr_blocks'],
  create: {
    operation: () => 'createAccessRule',
    async send(wanted, run) {
      await createAccessRule({ ...callOf(wanted, run), body: bodyOf(wanted.name, wanted.fields, run.set) });
    },
  },
  updates: (wanted, existing, changed) => [
    {
      fields: [...changed],
      operation: 'replaceAccessRule',
      interrupts:
        changed.has('cidr_blocks') || changed.has('protocols')
          ? 'Connections that the rule does not allow any more are closed.'
          : undefined,
      send: (run) =>
        matching(accessRule, existing, run, (headers) => {
          const body = bodyOf(wanted.name, { ...existing.fields, ...wanted.fields }, existing.set);
          return replaceAccessRule({ ...ruleCall(existing, run), headers, body });
        }),
    },
  ],
  remove: {
    operation: () => 'deleteAccessRule',
    interrupts: 'Connections that only the rule allowed are closed.',
    async send(existing, run) {
      await requireUnchanged(accessRule, existing, run);
      await deleteAccessRule(ruleCall(existing, run));
    },
  },
  async reread(existing, run) {
    try {
      const { data, response } = await getAccessRule(ruleCall(existing, run));
      return { fields: ruleFields(data), etag: response.headers.get('etag') ?? undefined };
    } catch (error) {
      if (error instanceof SluiceError && error.code === 'not_found') return undefined;
      throw error;
    }
  },
};
