import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Config } from '@sluice/client';
import { membersQuery } from '@sluice/console-core/api/queries.ts';
import { cx } from '@sluice/ui/lib/cx.ts';
import { activeBefore } from '@sluice/console-core/lib/config-values.ts';
import { actions } from '@sluice/console-core/api/actions.ts';
import { ActionButton, useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { IconButton } from '@sluice/ui/button.tsx';
import { Card, Time } from '@sluice/ui/data.tsx';
import { MoreIcon } from '@sluice/ui/icons.tsx';
import { Menu, MenuItem } from '@sluice/ui/menu.tsx';
import { Status, Tag } from '@sluice/ui/status.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { ActivateDialog, CompareDialog, DeleteVersion } from './activate.tsx';
import { manageAction, titleOf } from './kinds.ts';
import styles from './configuration.module.css';

interface VersionsProps {
  kind: string;
  /** all that are known of the kind */
  configs: readonly Config[];
  /** those that are listed: of one name */
  versions: readonly Config[];
  /** the one in the editor */
  openId: number | undefined;
  onOpen: (config: Config) => void;
}

type Asked = { what: 'activate' | 'compare' | 'delete'; config: Config };

/** The versions of a named configuration, with what can be done with each. */
export function Versions({ kind, configs, versions, openId, onOpen }: VersionsProps) {
  const { path, place } = useDeployment();
  const { data: members } = useQuery(membersQuery(path.tenant_id));
  const [asked, setAsked] = useState<Asked>();
  const active = configs.find(({ primary }) => primary);
  const before = activeBefore(configs);
  const authorOf = (id: number | null) =>
    id === null ? 'the system' : (members?.items.find((one) => one.id === id)?.name ?? `person ${id}`);
  const deletion = manageAction(kind, 'delete');
  const { isAllowed: mayDelete } = useAllowed(deletion, place);
  const close = () => setAsked(undefined);
  return (
    <Card
      title="Versions"
      flush
      actions={
        before && (
          <ActionButton
            action={manageAction(kind, 'activate')}
            on={place}
            size="small"
            onPress={() => setAsked({ what: 'activate', config: before })}
          >
            Roll back to {titleOf(before)}
          </ActionButton>
        )
      }
    >
      <ul className={styles.versions}>
        {versions.map((config) => (
          <li key={config.id} className={cx(config.id === openId && styles.open)}>
            <div className={styles.row}>
              <strong>Version {config.version}</strong>
              {config.primary && <Tag kind="busy">active</Tag>}
              {config.in_force && <Tag kind="ok">in force</Tag>}
              {config.needs_revalidation && <Tag kind="warn">needs revalidation</Tag>}
              {config.rejection && <Tag kind="bad">rejected</Tag>}
              <span className={layout.spacer} />
              {config.primary && !config.needs_revalidation ? null : (
                <ActionButton
                  action={manageAction(kind, 'activate')}
                  on={place}
                  size="small"
                  onPress={() => setAsked({ what: 'activate', config })}
                >
                  {config.primary ? 'Check again' : 'Activate'}
                </ActionButton>
              )}
              <Menu
                trigger={
                  <IconButton size="small" label={`More of version ${config.version}`} icon={<MoreIcon />} />
                }
                aria-label={`Version ${config.version}`}
                onAction={(key) => {
                  if (key === 'open') onOpen(config);
                  else setAsked({ what: key as Asked['what'], config });
                }}
              >
                <MenuItem id="open">Edit from here</MenuItem>
                <MenuItem id="compare" isDisabled={config.primary}>
                  Compare with the active one
                </MenuItem>
                <MenuItem
                  id="delete"
                  danger
                  isDisabled={config.primary || config.in_force || mayDelete !== true}
                  {...(mayDelete === false && { note: `needs ${actions[deletion].permission}` })}
                >
                  Delete
                </MenuItem>
              </Menu>
            </div>
            <span className={layout.muted}>
              <Time at={config.created_at} /> by {authorOf(config.author_id)}
              {config.runtime_version !== null && ` · for ${config.runtime_version}`}
            </span>
            {config.rejection && <Status kind="bad">{config.rejection.reason}</Status>}
          </li>
        ))}
      </ul>
      {asked?.what === 'activate' && <ActivateDialog config={asked.config} active={active} onClose={close} />}
      {asked?.what === 'compare' && <CompareDialog config={asked.config} active={active} onClose={close} />}
      {asked?.what === 'delete' && <DeleteVersion config={asked.config} onClose={close} />}
    </Card>
  );
}
