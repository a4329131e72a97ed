import type { Certificates, DeploymentCredentials } from '@sluice/client';
import { commandLines, snippets, type Language } from '@sluice/client/snippets';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { CodeBlock } from '@sluice/ui/code.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { Tabs } from '@sluice/ui/tabs.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import styles from './connect.module.css';

const languages: readonly { key: Language; title: string }[] = [
  { key: 'node', title: 'Node.js' },
  { key: 'python', title: 'Python' },
  { key: 'go', title: 'Go' },
  { key: 'java', title: 'Java' },
  { key: 'rust', title: 'Rust' },
  { key: 'dotnet', title: '.NET' },
];

const caFile = 'ca.pem';

/** Lines that connect to the deployment, by language. The login is in them while it is shown. */
export function Snippets({
  address,
  certificates,
  login,
}: {
  address: string;
  certificates: Certificates | undefined;
  login: DeploymentCredentials | undefined;
}) {
  const { words, path } = useDeployment();
  // a deployment without a certificate speaks in the clear
  const isSecure = certificates === undefined || certificates.serial !== null;
  const needsFile = isSecure && (certificates?.authority ?? null) !== null;
  const target = {
    url: `${isSecure ? 'tls' : 'nats'}://${address}`,
    isSecure,
    caFile: needsFile ? caFile : undefined,
    login,
  };
  const lines = snippets(target);
  const commands = commandLines({ place: words, caFile: target.caFile });
  return (
    <Card
      title="Lines to copy"
      actions={
        <AsCode
          command={['connect', words, login !== undefined && '--show-login']}
          request={{ method: 'GET', path: `/deployments/${path.deployment_id}`, layer: 'supervisor' }}
        />
      }
    >
      <div className={styles.snippets}>
        <p className={layout.muted}>
          {login
            ? 'With the login, as it is shown beside. Keep it out of repositories.'
            : 'They read NATS_USER and NATS_PASSWORD from the environment. Show the login to have it in them.'}
          {needsFile && ` The file ${caFile} has the authority, which you can download here.`}
        </p>
        <Tabs
          label="Languages"
          items={[...languages, { key: 'cli', title: 'CLI' } as const].map(({ key, title }) => ({
            key,
            title,
            content: <CodeBlock code={(key === 'cli' ? commands : lines[key]).trimEnd()} label={title} />,
          }))}
        />
      </div>
    </Card>
  );
}
