import type { GrantablePermissions } from '@sluice/client';
import { cx } from '@sluice/ui/lib/cx.ts';
import {
  differenceOf,
  levelOf,
  resourcesOf,
  type Grant,
  type Level,
  type Resource,
  type Scope,
} from '../lib/permission-grid.ts';
import { IconButton } from '@sluice/ui/button.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { CloseIcon } from '@sluice/ui/icons.tsx';
import layout from '@sluice/ui/layout.module.css';
import styles from './permission-grid.module.css';

const titles: Record<Scope, { caption: string; byDefault: string }> = {
  tenant: { caption: 'Organization', byDefault: 'Organization' },
  division: { caption: 'Divisions', byDefault: 'All divisions' },
  environment: { caption: 'Environments and deployments', byDefault: 'All environments' },
};

const words: Record<Level, string> = { none: 'no', read: 'read', manage: 'manage' };

interface GridProps {
  catalogue: GrantablePermissions;
  grants: readonly Grant[];
  /** makes the cells fields */
  onChange?: ((grant: Grant, resource: string, level: Level) => void) | undefined;
  onRemove?: (grant: Grant) => void;
}

/** What is granted, by scope: a row for each resource, a column for the default and for each place with an override. */
export function PermissionGrid(props: GridProps) {
  const hasOverrides = props.grants.some(({ division }) => division !== null);
  return (
    <>
      {(['tenant', 'division', 'environment'] as const).map((scope) => (
        <ScopeTable key={scope} scope={scope} {...props} />
      ))}
      {hasOverrides && (
        <p className={styles.legend}>
          <span>A shaded column is an override: it stands in place of what is left of it.</span>
          <span className={cx(styles.level, styles.more)}>+ more than it would inherit</span>
          <span className={cx(styles.level, styles.less)}>− less than it would inherit</span>
        </p>
      )}
    </>
  );
}

function ScopeTable({ scope, catalogue, grants, onChange, onRemove }: GridProps & { scope: Scope }) {
  const own = grants.filter((grant) => grant.scope === scope);
  const { caption, byDefault } = titles[scope];
  return (
    // it scrolls, so keys have to reach it
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={`Permissions: ${caption}`}>
      <table className={styles.grid}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Resource</th>
            {own.map((grant) => (
              <th
                key={`${grant.division} ${grant.environment}`}
                scope="col"
                className={cx(grant.division !== null && styles.override)}
              >
                <span className={styles.head}>
                  {grant.name ?? byDefault}
                  {onRemove && grant.division !== null && (
                    <IconButton
                      size="small"
                      label={`Remove the override of ${grant.name}`}
                      icon={<CloseIcon />}
                      onPress={() => onRemove(grant)}
                    />
                  )}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {resourcesOf(catalogue[scope]).map((resource) => (
            <tr key={resource.key}>
              <th scope="row" title={resource.descriptions.manage ?? resource.descriptions.read}>
                {resource.name}
              </th>
              {own.map((grant) => (
                <td
                  key={`${grant.division} ${grant.environment}`}
                  className={cx(grant.division !== null && styles.override)}
                >
                  <Cell {...{ grants, grant, resource, onChange }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({
  grants,
  grant,
  resource,
  onChange,
}: Pick<GridProps, 'grants' | 'onChange'> & { grant: Grant; resource: Resource }) {
  const level = levelOf(grant.permissions, resource.key);
  const difference = differenceOf(grants, grant, resource.key);
  const place = grant.name ?? titles[grant.scope].byDefault;
  if (onChange)
    return (
      <div className={styles.choice}>
        <Select
          hideLabel
          label={`${resource.name}, ${place}`}
          options={resource.levels.map((key) => ({
            key,
            label: words[key],
            note: resource.descriptions[key],
          }))}
          value={level}
          onChange={(key) => key && onChange(grant, resource.key, key)}
        />
      </div>
    );
  return (
    <span
      className={cx(
        styles.level,
        level === 'none' && layout.muted,
        level === 'manage' && styles.manage,
        difference === 'more' && styles.more,
        difference === 'less' && styles.less,
      )}
      title={resource.descriptions[level]}
    >
      {difference === 'more' && '+ '}
      {difference === 'less' && '− '}
      {words[level]}
    </span>
  );
}
