import { deleteAccessRule, type AccessRule } from '@sluice/client';
import { cutBy } from '@sluice/console-core/lib/access.ts';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useDeployment } from '../deployment-context.ts';
import { refresh } from '../queries.ts';
import { Cuts } from './cuts.tsx';

interface RemoveRuleProps {
  rule: AccessRule;
  rules: readonly AccessRule[];
  address: string | null;
  onClose: () => void;
}

/** Asks before a rule is removed, with who is cut off by it. */
export function RemoveRule({ rule, rules, address, onClose }: RemoveRuleProps) {
  const open = useDeployment();
  const { deployment_id } = open.path;
  const others = rules.filter(({ id }) => id !== rule.id);
  const cuts = cutBy(rule, undefined, others, new Date());
  return (
    <ConfirmDialog
      title={`Remove the rule ${rule.name}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      action="Remove"
      onConfirm={async () => {
        await deleteAccessRule({ client: open.supervisor, path: { deployment_id, rule_id: rule.id } });
        toast(`The rule ${rule.name} is removed`);
        await refresh(open, 'access_rule');
      }}
    >
      <div className={layout.closeStack}>
        {cuts.length === 0 && <p>Nobody is cut off: other rules let the same addresses in.</p>}
        <Cuts cuts={cuts} address={address} />
        <span>
          <AsCode
            command={['access', 'remove', rule.name, open.words]}
            request={{
              method: 'DELETE',
              path: `/deployments/${deployment_id}/access_rules/${rule.id}`,
              layer: 'supervisor',
            }}
          />
        </span>
      </div>
    </ConfirmDialog>
  );
}
