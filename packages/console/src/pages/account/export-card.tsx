import { useMutation } from '@tanstack/react-query';
import { exportAccount } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { saveFile } from '@sluice/ui/lib/save-file.ts';
import { Button } from '@sluice/ui/button.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { ErrorNote } from '@sluice/ui/feedback.tsx';
import styles from '../sign-in/sign-in.module.css';

/** Everything that is stored about the person, as a file. */
export function ExportCard() {
  const download = useMutation({
    mutationFn: async () => {
      const { data } = await exportAccount({ client });
      saveFile('sluice-account.json', JSON.stringify(data, null, 2), 'application/json');
    },
  });
  return (
    <Card title="Your data">
      <p className={styles.small}>
        Everything that Sluice holds about you, as JSON. Nothing in it can be used to sign in.
      </p>
      {download.error && <ErrorNote error={download.error} />}
      <p className={styles.exported}>
        <Button onPress={() => download.mutate()} isPending={download.isPending}>
          Download
        </Button>
      </p>
    </Card>
  );
}
