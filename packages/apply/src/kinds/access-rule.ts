import { isDeepStrictEqual } from 'node:util';
import {
  createAccessRule,
  deleteAccessRule,
  getAccessRule,
  listAccessRules,
  replaceAccessRule,
  SluiceError,
  type AccessRule,
  type NewAccessRule,
  type ProtocolRules,
} from '@sluice/client';
import { protocols, ruleFields } from '../organization/deployment.ts';
import { marked } from '../document/canonical.ts';
import { matching, requireUnchanged, type Fields, type Kind, type Run, type Wanted } from './kind.ts';

export const deploymentOf = ({ parent }: { parent: string | null }): string =>
  (parent ?? '').replace(/^deployment /, '');

const callOf = (entry: { parent: string | null }, { client, signal, ids }: Run) => ({
  client,
  signal,
  path: { deployment_id: ids.path(deploymentOf(entry)).deployment_id },
});

const ruleCall = (entry: { parent: string | null; id: number }, run: Run) => {
  const call = callOf(entry, run);
  return { ...call, path: { ...call.path, rule_id: entry.id } };
};

/** with which a managed deployment of the tier `free` begins: everything is let in */
export const initialRule = { name: 'default', tier: 'free' };

const ruleOf = async (wanted: Wanted, run: Run): Promise<AccessRule | undefined> =>
  (await listAccessRules(callOf(wanted, run))).data.find(({ name }) => name === wanted.name);

const isInitial = (rule: AccessRule): boolean =>
  rule.name === initialRule.name &&
  isDeepStrictEqual(ruleFields(rule), {
    cidr_blocks: ['0.0.0.0/0'],
    protocols: [...protocols].sort(),
    valid_to: null,
    remarks: null,
  });

/** Takes the rule away that a new deployment began with. */
export async function removeInitial(wanted: Wanted, run: Run): Promise<void> {
  const rule = await ruleOf(wanted, run);
  if (rule) await deleteAccessRule(ruleCall({ ...wanted, id: rule.id }, run));
}

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
      const body = bodyOf(wanted.name, wanted.fields, run.set);
      try {
        await createAccessRule({ ...callOf(wanted, run), body });
      } catch (error) {
        if (!(error instanceof SluiceError) || error.code !== 'name_taken') throw error;
        const rule = await ruleOf(wanted, run);
        if (!rule || !isInitial(rule)) throw error;
        await replaceAccessRule({ ...ruleCall({ ...wanted, id: rule.id }, run), body });
      }
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
