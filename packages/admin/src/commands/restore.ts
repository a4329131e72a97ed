import { usageError } from '@sluice/terminal/errors';
import { changes } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Command } from 'commander';
import type { Admin } from '../admin.ts';
import { ageOf } from '../age.ts';
import { ids, listed, type ListFlags } from '../arguments.ts';
import {
  compareAuditLog,
  decide,
  effectsOf,
  listDifferences,
  withEffects,
  type Decision,
  type Difference,
} from '../restore.ts';

const ofMainApi = 'main-api';

export default function restore(command: Command, admin: Admin): void {
  const add = (verb: string, description: string) => command.command(verb).description(description);

  listed(add('review', 'List what differs from the copy and is to be decided')).action(
    ({ after, limit }: ListFlags) =>
      admin.withDatabase(async (sql) => {
        const differences = await listDifferences(sql, after, limit);
        await admin.output.list(differences.map(withEffects), view);
      }, ofMainApi),
  );

  const decides = (verb: Decision, description: string) =>
    changes(add(verb, description))
      .argument('[id...]', 'as the review has them', ids)
      .option('--all', 'all that are open')
      .action((some: number[] = [], { all = false }: { all?: boolean }) => {
        if (all === some.length > 0) throw usageError(`Say which: ids, or --all for all that are open.`);
        return admin.withDatabase(async (sql) => {
          if (admin.isDry) {
            const open = await listDifferences(sql, 0, null);
            const those = open.filter(({ id, decision }) => decision === null && (all || some.includes(id)));
            admin.say(
              those.map((one) => `${one.id}: ${effectsOf(one)[verb]}`).join('\n') || 'There are none.',
            );
          } else admin.say(await decide(sql, verb, all ? 'all' : some));
        }, ofMainApi);
      });
  decides('apply', 'Take what is newer than the copy; a frozen key works again');
  decides('reject', 'Keep what the copy has, without what is frozen');

  add('audit-log', 'Compare with the audit log, where NATS has lost events since the copy').action(() =>
    admin.withDatabase(
      (sql) => admin.withAuditDatabase(async (audit) => admin.say(await compareAuditLog(sql, audit))),
      ofMainApi,
    ),
  );

  command.addHelpText(
    'after',
    `
Examples:
  $ sluice-admin restore review
  $ sluice-admin restore apply 3 4 --dry-run
  $ sluice-admin restore reject --all
  $ sluice-admin restore audit-log

Without DATABASE_URLS_DIR, audit-log also reads AUDIT_DATABASE_URL, of the audit service.`,
  );
}

const view: View<Difference> = {
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'AGE', value: ({ found_at }) => ageOf(found_at) },
    { header: 'KIND', value: ({ kind }) => kind },
    { header: 'TENANT', value: ({ tenant_id }) => tenant_id },
    {
      header: 'ABOUT',
      value: ({ about, person }) => (person === null ? about : `${about} of ${person}`),
    },
    { header: 'EVIDENCE', value: ({ evidence }) => evidence },
    { header: 'STATE', value: stateOf },
  ],
  name: ({ id }) => `${id}`,
  empty: 'There are none.',
};

function stateOf(difference: Difference): string {
  if (difference.decision) return `${difference.decision} is under way`;
  const { apply, reject } = effectsOf(difference);
  const failure = difference.failure === null ? '' : `; failed before: ${difference.failure}`;
  return `apply: ${apply}; reject: ${reject}${failure}`;
}
