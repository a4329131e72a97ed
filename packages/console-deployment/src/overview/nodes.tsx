import type { LiveDeployment } from '@sluice/client';
import { shownNodeStatus, shownRuntimeStatus } from '@sluice/console-core/lib/status.ts';
import { formatBytes } from '@sluice/ui/lib/quantity.ts';
import { Time } from '@sluice/ui/data.tsx';
import { Status, Tag } from '@sluice/ui/status.tsx';
import { Enrol } from './enrol.tsx';
import styles from './overview.module.css';

/** The machines of the deployment, each with the programs on it. */
export function Nodes({ live: { nodes } }: { live: LiveDeployment }) {
  if (nodes.length === 0) return <p className={styles.calm}>There are none yet.</p>;
  return (
    <ul className={styles.nodes}>
      {nodes.map((node) => {
        const { kind, word } = shownNodeStatus(node.status);
        const addresses = [node.public_ip, node.private_ip].filter((one) => one !== null);
        return (
          <li key={node.id}>
            <div className={styles.node}>
              <span className={styles.word}>{node.name}</span>
              <Status kind={kind}>{word}</Status>
              {node.leader === true && <Tag>leader</Tag>}
              {node.status === 'waiting_for_enrolment' && <Enrol node={node} />}
              <span className={styles.when}>
                {node.last_heartbeat_at === null ? (
                  'no heartbeat yet'
                ) : (
                  <>
                    heartbeat <Time at={node.last_heartbeat_at} />
                  </>
                )}
              </span>
            </div>
            <div className={styles.facts}>
              {node.runtimes.map(({ runtime, status, version }) => {
                const shown = shownRuntimeStatus(status);
                return (
                  <Status key={runtime} kind={shown.kind}>
                    {runtime}
                    {version !== null && ` ${version}`} <span className={styles.when}>{shown.word}</span>
                  </Status>
                );
              })}
            </div>
            <p className={styles.when}>
              {[
                node.agent_version !== null && `agent ${node.agent_version}`,
                node.storage_type,
                ...addresses,
                node.machine &&
                  `${node.machine.hostname}, ${node.machine.system}, ${node.machine.processors} processors, ${formatBytes(node.machine.memory_bytes)}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
