import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { DangerCard } from './danger-card.tsx';
import { DescriptionCard } from './description-card.tsx';
import { MoneyCard } from './money-card.tsx';
import { PowerCard } from './power-card.tsx';
import { RetentionCard } from './retention-card.tsx';
import { SizeCard } from './size-card.tsx';
import styles from '../deployment.module.css';

/** What can be changed of a deployment itself. */
export function SettingsTab() {
  const { deployment } = useDeployment();
  return (
    <div className={styles.columns} key={deployment.id}>
      <div className={layout.stack}>
        <DescriptionCard />
        <SizeCard />
      </div>
      <div className={layout.stack}>
        <PowerCard />
        <MoneyCard />
        <RetentionCard />
        <DangerCard />
      </div>
    </div>
  );
}
