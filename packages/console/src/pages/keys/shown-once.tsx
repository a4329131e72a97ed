import type { CreatedApiKey } from '@sluice/client';
import { Button } from '@sluice/ui/button.tsx';
import { CodeBlock } from '@sluice/ui/code.tsx';
import { CopyField } from '@sluice/ui/copy.tsx';
import { Time } from '@sluice/ui/data.tsx';
import { PartialState } from '@sluice/ui/feedback.tsx';
import layout from '@sluice/ui/layout.module.css';
import styles from './keys.module.css';

/** A token, which is shown this once. It is nowhere else in the page, and gone when the dialog is closed. */
export function ShownOnce({ created, onClose }: { created: CreatedApiKey; onClose: () => void }) {
  return (
    <div className={layout.closeStack}>
      <PartialState>
        The token is shown this once. Keep it where your program reads it, such as a store of secrets.
      </PartialState>
      <div className={styles.token}>
        <strong>Token</strong>
        <CopyField value={created.token} label="the token" />
      </div>
      <p className={layout.muted}>
        It works until <Time at={created.expiry_at} isExact />. Requests send it as <code>svc-api-key</code>;
        the command line reads it from the environment:
      </p>
      <CodeBlock code="export SLUICE_API_KEY=…" label="the line for a shell" />
      <div>
        <Button kind="primary" onPress={onClose}>
          I have kept it
        </Button>
      </div>
    </div>
  );
}
