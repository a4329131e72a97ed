import { useState } from 'react';
import { ThemeMenu } from '../../layout/theme-menu.tsx';
import { Button, IconButton } from '@sluice/ui/button.tsx';
import { Chart } from '@sluice/ui/chart.tsx';
import { CodeBlock, CodeEditor, Diff } from '@sluice/ui/code.tsx';
import { CopyField, SecretField } from '@sluice/ui/copy.tsx';
import { Card, DescriptionList, Figures, Money, Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import {
  EmptyState,
  ErrorNote,
  ErrorState,
  LiveMark,
  Note,
  PartialState,
  SkeletonLines,
} from '@sluice/ui/feedback.tsx';
import * as icons from '@sluice/ui/icons.tsx';
import { MoreIcon, PlusIcon } from '@sluice/ui/icons.tsx';
import { ExternalLink, Link } from '@sluice/console-core/parts/link.tsx';
import { Menu, MenuItem, MenuSeparator, Popover } from '@sluice/ui/menu.tsx';
import { Breadcrumbs } from '@sluice/ui/page.tsx';
import { Labels, Status, Tag } from '@sluice/ui/status.tsx';
import { DeploymentStatusMark } from '@sluice/console-core/parts/deployment-status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import { TabLinks, tabClass, Tabs } from '@sluice/ui/tabs.tsx';
import { ChangedMeanwhile } from '@sluice/ui/form.tsx';
import { formatBytes } from '@sluice/ui/lib/quantity.ts';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { Fields } from './fields.tsx';
import { after, before, colours, events, problem, samples, series, times, type Sample } from './samples.ts';
import styles from './design.module.css';

const now = new Date().toISOString();
const rows = samples(1000);
const columns: readonly Column<Sample>[] = [
  { id: 'name', title: 'Name', isFixed: true, sortBy: ({ name }) => name, cell: ({ name }) => name },
  {
    id: 'status',
    title: 'Status',
    sortBy: ({ status }) => status,
    cell: ({ status }) => <DeploymentStatusMark status={status} />,
  },
  {
    id: 'messages',
    title: 'Messages',
    align: 'end',
    sortBy: ({ messages }) => messages,
    cell: ({ messages }) => messages.toLocaleString('en-US'),
  },
];
const rounded = (value: number) => String(Math.round(value));

/** All components with their states, on one page. */
export function DesignPage() {
  const [isConfirming, setConfirming] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const [selected, setSelected] = useState<Set<string>>(new Set(['2']));
  const [code, setCode] = useState(before);
  return (
    <main className={styles.page}>
      <div className={styles.head}>
        <h1>Components</h1>
        <ThemeMenu />
      </div>
      <Card title="Colours">
        <div className={styles.row}>
          {colours.map((name) => (
            <div key={name} className={styles.swatch}>
              <div className={styles.colour} style={{ background: `var(${name})` }} />
              {name}
            </div>
          ))}
        </div>
      </Card>
      <Card title="Icons">
        <div className={styles.row}>
          {Object.entries(icons).map(([name, Icon]) => (
            <span key={name} title={name}>
              <Icon />
            </span>
          ))}
        </div>
      </Card>
      <Card title="Buttons and links">
        <div className={styles.row}>
          <Button kind="primary" icon={<PlusIcon />}>
            Primary
          </Button>
          <Button>Plain</Button>
          <Button kind="danger">Danger</Button>
          <Button kind="quiet">Quiet</Button>
          <Button isPending>Pending</Button>
          <Button isDisabled>Disabled</Button>
          <Button
            kind="primary"
            disabledReason="It needs the permission deployment:manage. Ada can grant it."
          >
            Not allowed
          </Button>
          <Button size="small">Small</Button>
          <IconButton label="Icon" icon={<MoreIcon />} />
          <Link to="/sign-in">Link</Link>
          <ExternalLink href="https://docs.nats.io">Another site</ExternalLink>
        </div>
      </Card>
      <Card title="Statuses, tags, times, amounts">
        <div className={styles.row}>
          <Status kind="ok">Running</Status>
          <Status kind="busy">Upgrading</Status>
          <Status kind="warn">Rolling back</Status>
          <Status kind="bad">Failed</Status>
          <Status kind="idle">Stopped</Status>
          <LiveMark isLive />
          <LiveMark isLive={false} />
          <Tag>tag</Tag>
          <Tag kind="ok">ok</Tag>
          <Tag kind="busy">busy</Tag>
          <Tag kind="warn">warn</Tag>
          <Tag kind="bad">bad</Tag>
          <Labels labels={{ team: 'payments', stage: 'live' }} />
          <Time at={now} />
          <Time at={now} isExact />
          <Money amount="1234.5" />
        </div>
      </Card>
      <Fields />
      <Card title="Menus, popovers, dialogs, toasts">
        <div className={styles.row}>
          <Menu trigger={<Button>Menu</Button>} aria-label="Menu">
            <MenuItem note="e">Edit</MenuItem>
            <MenuItem isDisabled note="deployment:manage">
              Not allowed
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger>Delete</MenuItem>
          </Menu>
          <Popover trigger={<Button>Popover</Button>} label="Popover">
            <p>Anything.</p>
          </Popover>
          <Button onPress={() => setConfirming(true)}>Confirm</Button>
          <Button onPress={() => setChanged(true)}>Changed meanwhile</Button>
          <Button onPress={() => toast('Saved', 'It holds from now on.')}>Toast</Button>
          <Button onPress={() => toastError(problem)}>Toast of an error</Button>
        </div>
        <ChangedMeanwhile
          isOpen={isChanged}
          onOpenChange={setChanged}
          theirs={JSON.parse(before) as unknown}
          mine={JSON.parse(after) as unknown}
          onKeepTheirs={() => setChanged(false)}
          onSendMine={() => setChanged(false)}
        />
        <ConfirmDialog
          title="Delete orders"
          isOpen={isConfirming}
          onOpenChange={setConfirming}
          name="orders"
          requestCode={async () => {}}
          action="Delete the deployment"
          onConfirm={async () => {
            throw problem;
          }}
        >
          Everything in it is lost: streams, messages, backups.
        </ConfirmDialog>
      </Card>
      <Card title="Tabs, breadcrumb, values">
        <div className={layout.closeStack}>
          <Breadcrumbs items={['Payments', 'production', 'orders']} />
          <TabLinks label="Pages">
            <Link to="/sign-in" className={tabClass}>
              Overview
            </Link>
            <Link to="/organizations" className={tabClass}>
              Streams
            </Link>
          </TabLinks>
          <Tabs
            label="Tabs"
            items={[
              { key: 'a', title: 'Overview', content: 'The first.' },
              { key: 'b', title: 'Logs', content: 'The second.' },
            ]}
          />
          <DescriptionList
            items={[
              ['Endpoint', <CopyField key="c" value="tls://orders-k3v9.example:4222" label="endpoint" />],
              ['Password', <SecretField key="s" label="password" read={async () => 'p9-not-a-secret'} />],
              ['Region', 'us-east-1'],
            ]}
          />
          <Figures
            items={[
              { name: 'Streams', value: '12' },
              { name: 'Stored', value: formatBytes(48_318_382_080) },
              { name: 'Messages', value: '1,204,411', note: '+3,000 a second' },
            ]}
          />
        </div>
      </Card>
      <Card title="States">
        <div className={styles.states}>
          <Card title="Loading" flush>
            <SkeletonLines />
          </Card>
          <Card title="Empty" flush>
            <EmptyState title="No streams yet" actions={<Button>Create a stream</Button>}>
              A stream keeps messages until they are read.
            </EmptyState>
          </Card>
          <Card title="Error" flush>
            <ErrorState error={problem} onRetry={() => undefined} />
          </Card>
        </div>
        <div className={layout.closeStack}>
          <PartialState onRetry={() => undefined}>
            EU West cannot be reached. What is there is left out.
          </PartialState>
          <ErrorNote error={problem} onRetry={() => undefined} />
          <Note>The change holds from the next restart on.</Note>
        </div>
      </Card>
      <DataTable
        name="design"
        label="Samples"
        rows={rows}
        columns={columns}
        rowKey={({ id }) => id}
        selected={selected}
        onSelect={setSelected}
        onOpen={({ name }) => toast(name)}
        empty={<EmptyState title="Nothing" />}
      />
      <Card title="Chart">
        <Chart title="Messages per second" times={times} series={series} events={events} format={rounded} />
      </Card>
      <Card title="Code">
        <div className={layout.closeStack}>
          <CodeBlock label="Command" code="sluice deployments list --status failed" />
          <CodeEditor label="Configuration" language="json" value={code} onChange={setCode} />
          <Diff label="Change" language="json" before={before} after={after} />
        </div>
      </Card>
    </main>
  );
}
